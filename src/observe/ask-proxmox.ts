import { intentIn, ownPoolComment } from '../ownership/index.js'
import type { World } from '../world.js'
import type { ObservedProxmox } from './observed.js'
import type { Question } from './question.js'

/** Hosts, guests and storages in one call, and what little that does not tell. */
export async function askProxmox(
  question: Question,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<Omit<ObservedProxmox, 'contents' | 'unreadHosts'>> {
  const [version, resources, pools, pciMappings] = await Promise.all([
    proxmox.cluster.version(signal),
    proxmox.cluster.resources(signal),
    proxmox.pools.list(signal),
    question.hasDevices ? proxmox.cluster.pciMappings(signal) : [],
  ])
  return {
    version,
    hosts: resources.hosts,
    guests: resources.guests,
    storages: resources.storages,
    pciMappings,
    poolExists: pools.some(({ id, comment }) => id === question.pool && comment === ownPoolComment),
    intent: intentIn(pools, question.pool),
    bridges: question.needsBridge ? await findBridge(question, resources.hosts, proxmox, signal) : [],
  }
}

/** The bridges of the first host whose bridge reports the network: it is the same on all of them. */
async function findBridge(
  question: Question,
  hosts: ObservedProxmox['hosts'],
  proxmox: World['proxmox'],
  signal: AbortSignal,
): Promise<ObservedProxmox['bridges']> {
  for (const { name: host } of hosts.filter(({ name, online }) => online && isAsked(name, question))) {
    const bridges = await proxmox.hosts.bridges(host, signal)
    if (bridges.some(({ name, cidr }) => name === question.bridge && cidr !== undefined))
      return bridges.map((bridge) => ({ ...bridge, host }))
  }
  return []
}

export function isAsked(host: string, { hosts }: Question): boolean {
  return hosts.length === 0 || hosts.includes(host)
}
