import type { Machine } from '../cluster/machine.js'
import { isCordonedByUs } from '../machine/kubernetes-node.js'
import type { Purpose } from '../machine/purpose.js'
import type { ObservedMachine } from '../observe/observed.js'
import { awaitBack } from '../steps/await-back.js'
import { checkRoll } from '../steps/check-roll.js'
import { drainNode, uncordonNode } from '../steps/drain-node.js'
import type { Draft, StepRef } from './draft.js'
import type { Turn } from './plan.js'
import { mustVoteMeanwhile } from './sick-etcd.js'

type After = readonly (StepRef | undefined)[]

export interface Disruption {
  readonly seen: ObservedMachine
  readonly purpose: Purpose
  readonly reason: string
  readonly before: After
  readonly turn: Turn
  /** It keeps working meanwhile: nothing is drained, and it is only seen to be well afterwards. */
  readonly isLive?: true
  /** Adds what takes the machine away, and gives what must be over before it is waited for. */
  work(after: After): After
  /** Adds what waits for it; a machine that only restarts must have its config and whatever it had before. */
  back?(after: After): StepRef
}

/**
 * The one chain of everything that takes a machine away: cordon and drain, the work itself, and, unless it leaves for good,
 * wait until it is back and uncordon; what moves live is not drained. One turn from the first to the last; guards stand in front of the steps of the work.
 */
export function planDisruption(draft: Draft, disruption: Disruption): After {
  const { seen, purpose, reason, before, turn, work, back: wait } = disruption
  const machine = seen.name
  if (disruption.isLive) return planLive(draft, disruption)
  if (isUndrainable(draft, seen, purpose) || (!purpose.leave && mustVoteMeanwhile(draft, seen))) return []
  // Nobody terminates the pods of a machine that is off, or was drained and is being wiped: they go with their node.
  const isAlive = seen.status === 'running' && seen.node?.ready === true && seen.mark.stage !== 'leaving'
  const drained = isAlive ? draft.add(drainNode, { machine, purpose }, reason, before, turn) : undefined
  const worked = work([...before, drained])
  if (purpose.leave) return planCheck(draft, machine, worked, turn)
  const back = wait?.(worked) ?? draft.add(awaitBack, backArgs(seen), 'it restarts', worked, turn)
  const isCordoned = isAlive || (seen.node !== undefined && isCordonedByUs(seen.node))
  const last = isCordoned ? draft.add(uncordonNode, { machine }, 'it is back', [back], turn) : back
  return planCheck(draft, machine, [last], turn)
}

/** What it had it has again; one that did not answer before is not waited for. */
function planLive(draft: Draft, { seen, before, turn, work }: Disruption): After {
  const worked = work(before)
  const back =
    seen.talos.reach === 'secured'
      ? [draft.add(awaitBack, { ...backArgs(seen), after: 'move' }, 'it moved', worked, turn)]
      : worked
  return planCheck(draft, seen.name, back, turn)
}

/** The user's own check stands between this machine and the next. */
function planCheck(draft: Draft, machine: string, after: After, turn: Turn): After {
  if (draft.desired.cluster.roll?.check === undefined) return after
  return [draft.add(checkRoll, { machine }, 'roll.check must pass before the next machine is changed', after, turn)]
}

/** Whether there are pods to drain cannot be seen: the machine is left alone until it can. etcd has guards of its own. */
function isUndrainable({ observed, desired }: Draft, { mark, status }: ObservedMachine, { leave }: Purpose): boolean {
  if (observed.kubernetes.seen || desired.cluster.newEtcd) return false
  return status === 'running' && (leave === true || mark.role === 'worker')
}

/** What it must have again is what it had. */
export function backArgs({ name, mark, talos, node }: ObservedMachine) {
  const isReady = talos.reach === 'secured' && talos.ready
  return {
    machine: name,
    isControlPlane: mark.role === 'controlplane' && isReady,
    isNode: node?.ready === true,
  }
}

/** Workers are drained through an API that a lone control plane takes down with it. */
export function controlPlanesFirst({ desired, refIfPlanned }: Draft, { role }: Pick<Machine, 'role'>): StepRef[] {
  if (role === 'controlplane') return []
  return desired.machines.flatMap(({ machine: { name: machine, role: other } }) =>
    other === 'controlplane'
      ? [refIfPlanned(awaitBack, { machine }), refIfPlanned(uncordonNode, { machine })].filter(
          (ref) => ref !== undefined,
        )
      : [],
  )
}
