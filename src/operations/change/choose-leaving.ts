import type { Machine } from '../../cluster/machine.js'

/** Facts about a machine that could be removed. */
export interface Standing {
  /** Its VM exists. */
  readonly exists: boolean
  /** Its host does not respond: it cannot be drained or deleted now. */
  readonly isAway: boolean
  readonly isProtected: boolean
  readonly isReady: boolean
  readonly isCordoned: boolean
  /** Data disks of the VM, and Kubernetes volumes that only this node can use. */
  readonly volumes: number
  /** The host has less memory than its guests are configured for. */
  readonly isCrowded: boolean
  /** Machines of the same group on the same host. */
  readonly neighbours: number
  readonly pods: number
  /** It is the etcd leader. */
  readonly isLeader: boolean
}

export interface Leaving {
  readonly machine: Machine
  /** Why this one, for the user. */
  readonly reason: string
}

/**
 * The criteria, most important first: the first difference between two machines decides, and the one with more of it is
 * removed.
 */
const reasons: readonly { readonly of: (standing: Standing) => number; readonly text?: string }[] = [
  { of: ({ isProtected }) => -Number(isProtected) },
  { of: ({ isAway }) => -Number(isAway) },
  { of: ({ exists }) => -Number(exists), text: 'its VM does not exist' },
  { of: ({ isReady }) => -Number(isReady), text: 'it is not Ready' },
  { of: ({ isLeader }) => -Number(isLeader), text: 'it does not lead etcd' },
  { of: ({ isCordoned }) => Number(isCordoned), text: 'it is cordoned' },
  { of: ({ volumes }) => -volumes, text: 'it holds the fewest volumes' },
  { of: ({ isCrowded }) => Number(isCrowded), text: 'its host is overfull' },
  { of: ({ neighbours }) => neighbours, text: 'its host runs the most machines of this group' },
  { of: ({ pods }) => -pods, text: 'it runs the fewest pods' },
]

/** The machines whose removal does the least harm, in order; if nothing else decides, the last one. */
export function chooseLeaving(
  candidates: readonly Machine[],
  count: number,
  standingOf: (machine: Machine) => Standing,
): Leaving[] {
  const left = [...candidates]
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const known = left.map((machine) => ({ machine, standing: standingOf(machine) }))
    const chosen = known.reduce((best, one) => (compare(one.standing, best.standing) >= 0 ? one : best))
    left.splice(left.indexOf(chosen.machine), 1)
    const others = known.filter((one) => one !== chosen)
    return { machine: chosen.machine, reason: reasonFor(chosen.standing, others) }
  })
}

/** Positive if the first one should be removed before the second. */
function compare(one: Standing, other: Standing): number {
  for (const { of } of reasons) if (of(one) !== of(other)) return of(one) - of(other)
  return 0
}

/** The first criterion in which it differs from a machine that stays. */
function reasonFor(standing: Standing, others: readonly { readonly standing: Standing }[]): string {
  const decisive = reasons.find(
    ({ of, text }) => text !== undefined && others.some((other) => of(standing) > of(other.standing)),
  )
  return decisive?.text ?? 'it is the last one'
}
