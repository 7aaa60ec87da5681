import { mapLimit } from '../cluster/map-limit.js'
import type { StorageResource } from '../proxmox/client/port.js'
import { hidesFreeSpace } from '../proxmox/model/free-space.js'
import { ProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { World } from '../world.js'
import { isAsked } from './ask-proxmox.js'
import type { ObserveScope } from './observe-scope.js'
import type { ObservedProxmox } from './observed.js'

const hostsAtOnce = 16

/** The storages of disks with what is free on them. A host that does not say it leaves the estimate. */
export async function askFreeSpace(
  { hosts, storages }: Pick<ObservedProxmox, 'hosts' | 'storages'>,
  question: ObserveScope,
  { proxmox }: Pick<World, 'proxmox'>,
  signal: AbortSignal,
): Promise<ObservedProxmox['storages']> {
  const online = new Set(hosts.filter((host) => host.online && isAsked(host.name, question)).map(({ name }) => name))
  const inQuestion = storages.filter((storage) => online.has(storage.host) && isInQuestion(storage))
  const asked = [...new Set(inQuestion.map(({ host }) => host))]
  const free = new Map(
    await mapLimit(asked, hostsAtOnce, async (host) => [host, await findFree(host, proxmox, signal)] as const),
  )
  return storages.map((storage) => {
    const found = free.get(storage.host)?.get(storage.storage)
    return found === undefined ? storage : { ...storage, free: found }
  })
}

function isInQuestion(storage: StorageResource): boolean {
  return storage.available && storage.content.includes('images') && hidesFreeSpace(storage)
}

async function findFree(host: string, { storage }: World['proxmox'], signal: AbortSignal) {
  try {
    return await storage.free(host, signal)
  } catch (thrown) {
    if (thrown instanceof ProxmoxError) return undefined
    throw thrown
  }
}
