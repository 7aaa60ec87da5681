import { viewOf } from '../../src/plan/view/plan-view.js'
import type { Outcome } from './plan-case.js'

/** `machine.acceptedCAs[0].crt`, `KubeServiceAccountConfig issuer.privateKey`. */
const configPath = /\b(machine|cluster)\.(?!local\b)[a-z]|[a-z]\[\d+\]|\b[A-Z]\w+Config\b/

/** What the rows of a plan have of Talos's fields, which only `--steps` names. */
export function configPathsIn({ plan, facts }: Outcome): string[] {
  if (plan === undefined || facts === undefined) return []
  const { machines, others } = viewOf(plan, facts, { goal: 'up', target: null, madeAt: '', ichorVersion: '' })
  return [...machines.flatMap(({ reasons }) => reasons), ...others.map(({ text }) => text)].filter((text) =>
    configPath.test(text),
  )
}
