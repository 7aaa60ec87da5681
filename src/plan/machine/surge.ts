import type { Desired } from '../../desired/desired.js'
import type { Finding } from '../../findings/finding.js'
import { surgeUnused } from '../../findings/notes/machines.js'
import type { Observed } from '../../observe/observed.js'
import { awaitBack } from '../../steps/await-back.js'
import { dropSeed } from '../../steps/drop-seed.js'
import { joinNode } from '../../steps/join-node.js'
import { reachMachine } from '../../steps/reach-machine.js'
import { findSeen, findWanted } from '../../work/wanted-machine.js'
import type { Draft, StepRef } from '../draft.js'
import { byInventory, replacementOf } from './rebuild.js'

/** Pools that get new machines before old ones leave, and how far this round goes. */
export interface Surge {
  /** Not created yet: their pool already has the maximum number of extra machines. */
  readonly later: ReadonlySet<string>
  /** No longer wanted, but kept until their replacements are ready. */
  readonly staying: ReadonlySet<string>
  /** What a leaving machine waits for: the new machines of its pool must be Ready. */
  before(leaving: string): StepRef[]
}

export function surgeOf(draft: Draft, observed: Observed): Surge {
  const pools = Object.entries(draft.desired.cluster.surge ?? {})
    .filter(([, most]) => most > 0)
    .map(([pool, most]) => poolIn(pool, most, draft.desired, observed))
  return {
    later: new Set(pools.flatMap(({ later }) => later)),
    staying: new Set(pools.flatMap(({ staying }) => staying)),
    before: (leaving) =>
      pools.filter(({ surplus }) => surplus.includes(leaving)).flatMap(({ coming }) => coming.map(returnOf(draft))),
  }
}

/**
 * A counted pool needs a number of members, whichever they are. It always has at least that many and at most `most`
 * more.
 */
function poolIn(pool: string, most: number, desired: Desired, observed: Observed) {
  const members = desired.machines.filter(({ machine }) => machine.pool === pool && machine.role === 'worker')
  const missing = members.filter(({ machine }) => findSeen(observed, machine.name) === undefined)
  const prefix = `${desired.cluster.name}-${pool}-`
  const surplus = observed.machines
    .map(({ name }) => name)
    .filter((name) => findWanted(desired, name) === undefined && isCounted(name, prefix))
  const there = members.length - missing.length + surplus.length
  const allowed = surplus.length === 0 ? missing.length : Math.max(0, members.length + most - there)
  const names = missing.map(({ machine }) => machine.name)
  const coming = names.slice(0, allowed)
  const going = Math.max(0, there + coming.length - members.length)
  return { surplus, coming, later: names.slice(allowed), staying: surplus.slice(going) }
}

/**
 * Surge gives a machine a new number in the inventory, and `up` does not edit the inventory. A machine that needs a new
 * VM because of an inventory change keeps its name, so surge does not apply to it.
 */
export function surgeNotes(desired: Desired, observed: Observed): Finding[] {
  const pools = Object.entries(desired.cluster.surge ?? {}).filter(([, most]) => most > 0)
  return pools.flatMap(([pool]) => {
    const names = desired.machines.flatMap((wanted) => {
      const { name } = wanted.machine
      const seen = findSeen(observed, name)
      const isOwn = wanted.machine.pool === pool && isCounted(name, `${desired.cluster.name}-${pool}-`)
      return isOwn && seen !== undefined && replacementOf(desired, wanted, seen)?.by === byInventory ? [name] : []
    })
    if (names.length === 0) return []
    return [
      surgeUnused.note(
        `${names.join(', ')}: replaced under the same name, up to max_unavailable at a time; surge of pool ${pool} is not used.`,
        {
          subject: { kind: 'machine', name: names.join(', ') },
          cure: `To have new machines Ready first, run ichor replace ${names.join(' ')}.`,
          command: `ichor replace ${names.join(' ')}`,
        },
      ),
    ]
  })
}

function isCounted(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length))
}

function returnOf(draft: Draft): (machine: string) => StepRef {
  return (machine) =>
    draft.add(awaitBack, { machine, isControlPlane: false, isNode: true }, 'one of its pool leaves when it is Ready', [
      draft.refIfPlanned(reachMachine, { machine }),
      draft.refIfPlanned(dropSeed, { machine }),
      draft.refIfPlanned(joinNode, { machine }),
    ])
}
