import { groupComment } from '../../../cluster/tag.js'
import type { Desired, DesiredGroup } from '../../../desired/desired.js'
import type { ObservedFirewall } from '../../../observe/observed.js'
import type { FirewallRule } from '../../../proxmox/client/port.js'
import type { WorkContext } from '../../../work/work-context.js'

const cluster = { kind: 'cluster' } as const

/** Groups and IP sets with the name and the ID of this cluster. */
export function ownFirewall({ groups, ipsets }: ObservedFirewall, desired: Desired) {
  const { name, id } = desired.cluster
  const comment = id === undefined ? undefined : groupComment(name, id)
  const isOurs = (one: { readonly name: string; readonly comment: string }) =>
    comment !== undefined && one.comment === comment && one.name.startsWith('ichor-')
  return {
    groups: groups.filter(isOurs).map(({ name: group }) => group),
    ipsets: ipsets.filter(isOurs).map(({ name: ipset }) => ipset),
  }
}

/** Whether the group exists with all of its rules: it is not used before. */
export async function isGroupReady(wanted: DesiredGroup, { proxmox, signal }: WorkContext): Promise<boolean> {
  const groups = await proxmox.firewall.groups(signal)
  if (!groups.some(({ name }) => name === wanted.name)) return false
  const { rules } = await proxmox.firewall.rules({ kind: 'group', group: wanted.name }, signal)
  return isGroupComplete(wanted, rules)
}

/** The same for rules that were read before. */
export function isGroupComplete(wanted: DesiredGroup, rules: readonly FirewallRule[] | undefined): boolean {
  return rules !== undefined && rules.map(textOf).join('\n') === rulesOfGroup(wanted).map(textOf).join('\n')
}

/** As Proxmox has them once the group is complete. */
export function rulesOfGroup({ rules }: DesiredGroup): FirewallRule[] {
  return rules.map(ruleOf)
}

/** IP sets first: a rule can only name an existing one. */
export async function makeGroup(wanted: DesiredGroup, context: WorkContext): Promise<void> {
  const { firewall } = context.proxmox
  const { signal } = context
  for (const { name, entries } of wanted.ipsets) {
    context.assertLease()
    await firewall.createIpset(cluster, name, wanted.comment, signal)
    for (const cidr of entries) await firewall.addIpsetEntry(cluster, name, { cidr }, signal)
  }
  await firewall.createGroup(wanted.name, wanted.comment, signal)
  await emptyGroup(wanted.name, context)
  // Proxmox puts a new rule before all others.
  for (const rule of wanted.rules.toReversed()) {
    context.assertLease()
    await firewall.addRule({ kind: 'group', group: wanted.name }, ruleOf(rule), signal)
  }
}

export async function removeGroup(name: string, context: WorkContext): Promise<void> {
  await emptyGroup(name, context)
  context.assertLease()
  await context.proxmox.firewall.removeGroup(name, context.signal)
}

export async function removeIpset(name: string, context: WorkContext): Promise<void> {
  const { firewall } = context.proxmox
  for (const { cidr } of await firewall.ipsetEntries(cluster, name, context.signal)) {
    context.assertLease()
    await firewall.removeIpsetEntry(cluster, name, cidr, context.signal)
  }
  await firewall.removeIpset(cluster, name, context.signal)
}

async function emptyGroup(group: string, context: WorkContext): Promise<void> {
  const { firewall } = context.proxmox
  for (;;) {
    const { rules, digest } = await firewall.rules({ kind: 'group', group }, context.signal)
    if (rules.length === 0) return
    context.assertLease()
    await firewall.removeRule({ kind: 'group', group }, 0, digest, context.signal)
  }
}

function ruleOf({ action, match }: DesiredGroup['rules'][number]): FirewallRule {
  return { type: 'in', action, enabled: true, match }
}

function textOf({ type, action, enabled, match }: FirewallRule): string {
  const { proto = '', dport = '', source = '', dest = '' } = match
  return [type, action, enabled, proto, dport, source, dest].join(' ')
}
