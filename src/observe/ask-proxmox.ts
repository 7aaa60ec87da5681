import { ownPoolComment } from '../ownership/index.js'
import type { World } from '../world.js'
import type { ObservedProxmox } from './observed.js'
import type { Question } from './question.js'

/** Hosts, guests and storages in one call, and what little that does not tell. */
export async function askProxmox(
  question: Question,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<Omit<ObservedProxmox, 'volumes'>> {
  const [version, resources, pool, pciMappings] = await Promise.all([
    proxmox.cluster.version(signal),
    proxmox.cluster.resources(signal),
    proxmox.pools.find(question.pool, signal),
    question.hasDevices ? proxmox.cluster.pciMappings(signal) : [],
  ])
  const online = resources.hosts.filter(({ name, online: isOnline }) => isOnline && isAsked(name, question))
  const bridges = question.needsBridge
    ? await Promise.all(
        online.map(async ({ name }) =>
          (await proxmox.hosts.bridges(name, signal)).map((bridge) => ({ ...bridge, host: name })),
        ),
      )
    : []
  return {
    version,
    hosts: resources.hosts,
    guests: resources.guests,
    storages: resources.storages,
    pciMappings,
    poolExists: pool !== undefined && pool.comment === ownPoolComment,
    bridges: bridges.flat(),
  }
}

export function isAsked(host: string, { hosts }: Question): boolean {
  return hosts.length === 0 || hosts.includes(host)
}
