import { homesIn, intentIn, ownPoolComment, unfinishedIn } from '../ownership/index.js'
import { askUnlessForbidden } from '../proxmox/model/ask-unless-forbidden.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { World } from '../world.js'
import type { ObserveScope } from './observe-scope.js'
import type { ObservedProxmox } from './observed.js'
import { withNames } from './with-names.js'

/** What this run has queried before and has not changed since. */
export type KnownFacts = Partial<Pick<ObservedProxmox, 'version' | 'backupJobs' | 'contents' | 'hidden'>>

/** Hosts, guests and storages in one call, plus what that call does not return. */
export async function askProxmox(
  question: ObserveScope,
  { proxmox }: World,
  signal: AbortSignal,
  known: KnownFacts = {},
): Promise<Omit<ObservedProxmox, 'contents' | 'unreadHosts'>> {
  const [version, quorate, resources, pools, backupJobs, pciMappings] = await Promise.all([
    known.version ?? proxmox.cluster.version(signal),
    findQuorate(proxmox, signal),
    proxmox.cluster.resources(signal),
    proxmox.pools.list(signal),
    known.backupJobs ?? askUnlessForbidden(proxmox.backup.jobs(signal), question.wantsBackups, signal),
    question.hasDevices ? proxmox.cluster.pciMappings(signal) : [],
  ])
  const isInHa = question.wantsHa || resources.guests.some(({ pool, ha }) => pool === question.pool && ha !== undefined)
  const ha = isInHa
    ? await askUnlessForbidden(proxmox.highAvailability.read(version.major, signal), question.wantsHa, signal)
    : undefined
  return {
    version,
    ...(quorate === undefined ? {} : { quorate }),
    hosts: resources.hosts,
    guests: question.namesGuests ? await withNames(resources.guests, proxmox, signal) : resources.guests,
    storages: resources.storages,
    ...(backupJobs === undefined ? {} : { backupJobs }),
    ...(ha === undefined ? {} : { ha }),
    pciMappings,
    poolExists: pools.some(({ id, comment }) => id === question.pool && comment === ownPoolComment),
    intent: intentIn(pools, question.pool),
    homes: homesIn(pools, question.pool),
    unfinished: unfinishedIn(pools, question.pool),
    bridges: question.needsBridge ? await findBridge(question, resources.hosts, proxmox, signal) : [],
  }
}

/** A narrow token may not query this; then the first change reports it. */
async function findQuorate({ cluster }: World['proxmox'], signal: AbortSignal): Promise<boolean | undefined> {
  try {
    return (await cluster.status(signal)).quorate
  } catch (thrown) {
    if (isProxmoxError(thrown, 'forbidden')) return undefined
    throw thrown
  }
}

/** The bridges of the first host whose bridge reports the network: it is the same on all hosts. */
async function findBridge(
  question: ObserveScope,
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

export function isAsked(host: string, { hosts }: ObserveScope): boolean {
  return hosts.length === 0 || hosts.includes(host)
}
