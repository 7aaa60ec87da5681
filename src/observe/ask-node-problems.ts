import { volumeProblems } from '../cluster/volume-problems.js'
import { reasonOf } from '../errors.js'
import type { TalosNode } from '../talos/api/port.js'
import type { ObserveScope } from './observe-scope.js'
import type { NodeProblem } from './observed.js'

/** What a node that runs reports as wrong with itself; what it does not report is a problem as well. */
export async function askNodeProblems(
  machine: string,
  { resources }: TalosNode,
  { wantsSecureBoot }: ObserveScope,
  signal: AbortSignal,
): Promise<NodeProblem[]> {
  const [volumes, security] = await Promise.all([
    resources.list('VolumeStatuses.block.talos.dev', 'runtime', signal).then(volumeProblems, notRead('volumes')),
    wantsSecureBoot
      ? resources
          .find('SecurityStates.talos.dev', 'runtime', 'securitystate', signal)
          .then(securityProblems, notRead('Secure Boot'))
      : [],
  ])
  const repair = 'ichor up; for a volume of a patch: correct its diskSelector or its size'
  const enrol = `set talos.boot: iso in the inventory, then: ichor replace ${machine}`
  return [
    ...volumes.map((text) => ({ kind: 'volume' as const, text, fix: repair })),
    ...security.map((text) => ({ kind: 'secure-boot' as const, text, fix: enrol })),
  ]
}

function securityProblems(state: { readonly spec?: unknown } | undefined): string[] {
  const isOn = (state?.spec as { secureBoot?: boolean } | undefined)?.secureBoot === true
  return isOn ? [] : ['it has booted without Secure Boot, which the inventory asks for']
}

function notRead(what: string): (thrown: unknown) => string[] {
  return (thrown) => [`its ${what} could not be read: ${reasonOf(thrown)}`]
}
