import { changedSinceShown } from '../findings/refusals/runs.js'
import type { Observed } from '../observe/observed.js'
import { deleteNode } from '../steps/delete-node.js'
import { removeEtcdMember } from '../steps/remove-etcd-member.js'
import type { Plan, PlannedStep } from './plan.js'
import { identityOf, type StepIdentity, sameStep } from './step-identity.js'

/**
 * Refuses changes in a later round that the shown plan did not include. Consent covers the shown steps, what they write
 * as far as it was known, what they lose, and:
 * - the drain of a machine that was shown to be interrupted, because its node can become Ready or NotReady at any time;
 * - the node of a machine whose member was shown to leave etcd, because Kubernetes may respond only afterwards;
 * - the config of a machine that was off and could not be compared. The plan states this.
 */
export function consentTo(shown: Plan, seenFirst: Observed): (steps: readonly PlannedStep[]) => void {
  const isShown = matcherOf(shown)
  const interrupted = interruptedIn(shown.steps)
  const leaving = new Set(machinesOf(shown.steps.filter(({ kind }) => kind === removeEtcdMember.kind)))
  const wasOff = machinesOff(seenFirst)
  return (steps) => {
    const late = comparedLate(steps, wasOff)
    const isCovered = (step: PlannedStep) => {
      if (isShown(step)) return true
      const machine = step.machine ?? ''
      const isDrain = step.softens && interrupted.has(machine)
      const isNode = step.kind === deleteNode.kind && leaving.has(machine)
      return step.loses.length === 0 && (late.has(machine) || isDrain || isNode)
    }
    refuseSurprise(steps.find((step) => step.changes && !step.restores && !isCovered(step)))
  }
}

function refuseSurprise(surprise: PlannedStep | undefined): void {
  if (surprise === undefined) return
  throw changedSinceShown.refuse(
    `Something has changed since the plan was shown: it would now also "${surprise.title}".`,
    {
      subject: { kind: 'object', name: surprise.title },
      where: surprise.reason,
      fix: 'Look at ichor plan again, and run the command once more.',
    },
  )
}

function matcherOf({ steps, digester }: Plan): (step: PlannedStep) => boolean {
  const known = new Map<string, StepIdentity[]>()
  for (const step of steps) known.set(step.id, [...(known.get(step.id) ?? []), identityOf(step, digester)])
  return (step) => (known.get(step.id) ?? []).some((identity) => sameStep(identity, step, digester))
}

function interruptedIn(steps: readonly PlannedStep[]): ReadonlySet<string> {
  return new Set(machinesOf(steps.filter(({ disruptive, softens }) => disruptive && !softens)))
}

function machinesOf(steps: readonly PlannedStep[]): string[] {
  return steps.flatMap(({ machine }) => machine ?? [])
}

function machinesOff({ machines }: Observed): ReadonlySet<string> {
  return new Set(machines.filter(({ status }) => status === 'stopped').map(({ name }) => name))
}

/** Machines that were off when the plan was shown and get a different config in this round. */
function comparedLate(steps: readonly PlannedStep[], wasOff: ReadonlySet<string>): ReadonlySet<string> {
  const changing = steps.filter(({ setsConfig }) => setsConfig)
  return new Set(machinesOf(changing).filter((machine) => wasOff.has(machine)))
}
