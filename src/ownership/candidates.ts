import { isInPool } from '../cluster/pool.js'
import type { GuestResource, Resources } from '../proxmox/client/port.js'

/** By what a VM may be one of ours; the proof is in the VM itself. */
export interface CandidateSigns {
  readonly tags: readonly string[]
  readonly pool?: string
  /** Names of wanted machines. */
  readonly names: readonly string[]
  /** VMIDs of wanted machines. */
  readonly vmids: readonly number[]
  /** What the lease says a run was about to claim. */
  readonly intent: readonly number[]
}

export type CandidateReason = 'tag' | 'pool' | 'name' | 'vmid' | 'intent'

export interface Candidate {
  readonly guest: GuestResource
  readonly because: readonly CandidateReason[]
}

/** The VMs whose configuration is worth reading, out of all that Proxmox shows. */
export function findCandidates({ guests }: Pick<Resources, 'guests'>, signs: CandidateSigns): Candidate[] {
  return guests
    .filter(({ kind }) => kind === 'qemu')
    .map((guest) => ({ guest, because: reasons(guest, signs) }))
    .filter(({ because }) => because.length > 0)
}

function reasons(guest: GuestResource, { tags, pool, names, vmids, intent }: CandidateSigns): CandidateReason[] {
  const lowerCaseTags = tags.map((tag) => tag.toLowerCase())
  const says: Record<CandidateReason, boolean> = {
    tag: guest.tags.some((tag) => lowerCaseTags.includes(tag.toLowerCase())),
    pool: pool !== undefined && isInPool(guest.pool, pool),
    name: guest.name !== undefined && names.includes(guest.name),
    vmid: vmids.includes(guest.vmid),
    intent: intent.includes(guest.vmid),
  }
  return (['tag', 'pool', 'name', 'vmid', 'intent'] as const).filter((reason) => says[reason])
}
