import { isInPool } from '../cluster/pool.js'
import type { GuestResource, Resources } from '../proxmox/client/port.js'

/** Signs that a VM may be ours; the proof is in the VM itself. */
export interface CandidateSigns {
  readonly tags: readonly string[]
  readonly pool?: string
  /** Names of wanted machines. */
  readonly names: readonly string[]
  /** VMIDs of wanted machines. */
  readonly vmids: readonly number[]
  /** VMIDs that a run was about to claim, according to the lease. */
  readonly intent: readonly number[]
}

export type CandidateReason = 'tag' | 'pool' | 'name' | 'vmid' | 'intent'

export interface Candidate {
  readonly guest: GuestResource
  readonly because: readonly CandidateReason[]
}

/** The VMs whose config must be read, of all that Proxmox lists. */
export function findCandidates({ guests }: Pick<Resources, 'guests'>, signs: CandidateSigns): Candidate[] {
  const sets = {
    tags: new Set(signs.tags.map((tag) => tag.toLowerCase())),
    pool: signs.pool,
    names: new Set(signs.names),
    vmids: new Set(signs.vmids),
    intent: new Set(signs.intent),
  }
  return guests
    .filter(({ kind }) => kind === 'qemu')
    .map((guest) => ({ guest, because: reasons(guest, sets) }))
    .filter(({ because }) => because.length > 0)
}

interface SignSets {
  readonly tags: ReadonlySet<string>
  readonly pool: string | undefined
  readonly names: ReadonlySet<string>
  readonly vmids: ReadonlySet<number>
  readonly intent: ReadonlySet<number>
}

function reasons(guest: GuestResource, { tags, pool, names, vmids, intent }: SignSets): CandidateReason[] {
  const matches: Record<CandidateReason, boolean> = {
    tag: guest.tags.some((tag) => tags.has(tag.toLowerCase())),
    pool: pool !== undefined && isInPool(guest.pool, pool),
    name: guest.name !== undefined && names.has(guest.name),
    vmid: vmids.has(guest.vmid),
    intent: intent.has(guest.vmid),
  }
  return (['tag', 'pool', 'name', 'vmid', 'intent'] as const).filter((reason) => matches[reason])
}
