import type { Candidate } from '../ownership/candidates.js'
import type { GuestResource, HostResource, SeenOptions } from '../proxmox/client/port.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { World } from '../world.js'

interface ReadCandidates {
  readonly read: readonly { readonly candidate: Candidate; readonly config: SeenOptions }[]
  /** Listed, but could not be read. */
  readonly unread: readonly Candidate[]
  readonly unreadHosts: readonly { readonly host: string; readonly why: string }[]
}

const maxLooks = 3

/**
 * Reads the configs of these VMs. A VM that is not on the listed host is looked up again, because it may have moved; it
 * is absent only if a newer list does not have it. A listed VM that cannot be read is returned as unread, never left
 * out.
 */
export async function readCandidates(
  candidates: readonly Candidate[],
  hosts: readonly HostResource[],
  world: World,
  signal: AbortSignal,
): Promise<ReadCandidates> {
  const offline = hosts.filter(({ online }) => !online)
  const unreadHosts = new Map<string, string>(offline.map(({ name }) => [name, `${name} is offline`]))
  const read: { candidate: Candidate; config: SeenOptions }[] = []
  const unread: Candidate[] = candidates.filter(({ guest }) => unreadHosts.has(guest.host))
  let left = candidates.filter(({ guest }) => !unreadHosts.has(guest.host))
  for (let look = 1; left.length > 0 && look <= maxLooks; look++) {
    const answers = await Promise.all(left.map((candidate) => readOne(candidate, world, signal)))
    const missing: Candidate[] = []
    for (const [index, candidate] of left.entries()) {
      const answer = answers[index]
      if (answer === 'host-down') {
        unreadHosts.set(candidate.guest.host, `${candidate.guest.host} does not answer`)
        unread.push(candidate)
      } else if (answer === undefined) missing.push(candidate)
      else read.push({ candidate, config: answer })
    }
    left = missing.length === 0 ? [] : await stillListed(missing, world, signal)
  }
  return {
    read,
    unread: [...unread, ...left],
    unreadHosts: [...unreadHosts].map(([host, why]) => ({ host, why })),
  }
}

/** Proxmox takes a while to report a failed host as offline. */
async function readOne(
  { guest }: Candidate,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<SeenOptions | 'host-down' | undefined> {
  try {
    return await proxmox.machines.findOptions(guest, signal)
  } catch (thrown) {
    if (isProxmoxError(thrown, 'host-down')) return 'host-down'
    throw thrown
  }
}

async function stillListed(missing: readonly Candidate[], world: World, signal: AbortSignal): Promise<Candidate[]> {
  const { guests } = await world.proxmox.cluster.resources(signal)
  const byVmid = new Map<number, GuestResource>(guests.map((guest) => [guest.vmid, guest]))
  return missing.flatMap((candidate) => {
    const guest = byVmid.get(candidate.guest.vmid)
    return guest === undefined ? [] : [{ ...candidate, guest }]
  })
}
