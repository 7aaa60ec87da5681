import type { Desired } from '../../../desired/desired.js'
import { type HostSet, hostSetOf, isHostRule, management } from '../../../ownership/host-set.js'
import type { FirewallRule, IpsetEntry } from '../../../proxmox/client/port.js'
import type { WorkContext } from '../../../work/work-context.js'
import { removeIpset } from '../vm/group-rules.js'

const cluster = { kind: 'cluster' } as const

export function ownHostSet({ cluster: { name, id = '' } }: Pick<Desired, 'cluster'>): HostSet {
  return hostSetOf(name, id)
}

/** Networks that administer the hosts, as in the IP set, and the hosts themselves. */
export function wantedManagers(admins: readonly string[], hosts: readonly string[], comment: string): IpsetEntry[] {
  const networks = [...new Set(admins.flatMap(asEntries))]
  const others = hosts.filter((host) => !networks.includes(host))
  return [
    ...networks.map((cidr) => ({ cidr, comment })),
    ...others.map((cidr) => ({ cidr, comment: `${comment} host` })),
  ]
}

/** Proxmox stores a single address without its prefix. An IP set cannot contain 0.0.0.0/0, so it gets two halves. */
function asEntries(cidr: string): string[] {
  if (!cidr.endsWith('/0')) return [cidr.replace(cidr.includes(':') ? /\/128$/ : /\/32$/, '')]
  return cidr.includes(':') ? ['::/1', '8000::/1'] : ['0.0.0.0/1', '128.0.0.0/1']
}

/** Networks that ichor has added and the inventory no longer has. */
export function staleManagers(
  entries: readonly IpsetEntry[],
  wanted: readonly IpsetEntry[],
  comment: string,
): string[] {
  const isWanted = ({ cidr }: IpsetEntry) => wanted.some((other) => other.cidr === cidr)
  return entries.filter((entry) => entry.comment === comment && !isWanted(entry)).map(({ cidr }) => cidr)
}

/** Hosts reach each other on all ports: storage and migrations use more of them than Proxmox opens by default. */
export function hostRule({ name, comment }: HostSet): FirewallRule {
  return { type: 'in', action: 'ACCEPT', enabled: true, match: { source: `+dc/${name}`, comment } }
}

/** Existing entries stay unchanged, whatever their owner. */
export async function addEntries(set: string, entries: readonly IpsetEntry[], context: WorkContext): Promise<void> {
  const { firewall } = context.proxmox
  const there = (await firewall.ipsetEntries(cluster, set, context.signal)).map(({ cidr }) => cidr)
  for (const entry of entries.filter(({ cidr }) => !there.includes(cidr))) {
    context.assertLease()
    await firewall.addIpsetEntry(cluster, set, entry, context.signal)
  }
}

/**
 * Removes the rule before the IP set that it names; the IP set, which records the owner of the switch, is removed last.
 */
export async function removeHostSet(set: HostSet, context: WorkContext): Promise<void> {
  const { firewall } = context.proxmox
  for (;;) {
    const { rules, digest } = await firewall.rules(cluster, context.signal)
    const position = rules.findIndex((rule) => isHostRule(rule, set))
    if (position < 0) break
    context.assertLease()
    await firewall.removeRule(cluster, position, digest, context.signal)
  }
  await removeManagers(set.comment, context)
  const isThere = (await firewall.ipsets(cluster, context.signal)).some(({ name }) => name === set.name)
  if (isThere) await removeIpset(set.name, context)
}

/** Removes our entries, and the IP set too if ichor created it and it is empty. */
async function removeManagers(comment: string, context: WorkContext): Promise<void> {
  const { signal } = context
  const { firewall } = context.proxmox
  const set = (await firewall.ipsets(cluster, signal)).find(({ name }) => name === management)
  if (set === undefined) return
  const entries = await firewall.ipsetEntries(cluster, management, signal)
  const own = entries.filter((entry) => entry.comment?.startsWith(comment))
  for (const { cidr } of own) {
    context.assertLease()
    await firewall.removeIpsetEntry(cluster, management, cidr, signal)
  }
  const isEmpty = own.length === entries.length
  if (set.comment === comment && isEmpty) await firewall.removeIpset(cluster, management, signal)
}
