import { askAddresses } from '../../observe/ask-addresses.js'
import type { World } from '../../world.js'
import type { Site } from './survey.js'

/** Hosts that are online, storages for disks, and the bridges of the first host. */
export async function readSite({ proxmox }: World, signal: AbortSignal): Promise<Site> {
  const { hosts, storages } = await proxmox.cluster.resources(signal)
  const online = hosts.filter((host) => host.online).sort((one, other) => (one.name < other.name ? -1 : 1))
  const names = new Set(online.map(({ name }) => name))
  const holding = storages.filter(({ content, host }) => content.includes('images') && names.has(host))
  const storageNames = [...new Set(holding.map(({ storage }) => storage))]
  const free = new Map(
    await Promise.all(online.map(async ({ name }) => [name, await proxmox.storage.free(name, signal)] as const)),
  )
  const first = online[0]?.name
  const bridges = first === undefined ? [] : await proxmox.hosts.bridges(first, signal)
  return {
    hosts: online.map(({ name, cpus = 0, memory = 0 }) => ({ name, cpus, memory })),
    storages: storageNames
      .map((name) => {
        const own = holding.filter(({ storage }) => storage === name)
        return {
          name,
          hosts: own.length,
          free: Math.min(...own.map(({ host, total, used }) => free.get(host)?.get(name) ?? total - used)),
        }
      })
      .sort((one, other) => other.hosts - one.hosts || other.free - one.free),
    bridges: bridges.map(({ name, cidr, gateway }) => ({
      name,
      ...(cidr === undefined ? {} : { cidr }),
      ...(gateway === undefined ? {} : { gateway }),
    })),
  }
}

/** The addresses that respond, and those of the hosts. */
export async function takenAmong(
  addresses: readonly string[],
  world: World,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  return new Set((await askAddresses(addresses, world, signal)).map(({ address }) => address))
}
