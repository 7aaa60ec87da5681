import { z } from 'zod'
import type { Role } from '../../../cluster/machine.js'
import { seen } from '../../../cluster/seen.js'
import type { Desired, DesiredGroup } from '../../../desired/desired.js'
import { defineStep } from '../../../steps/step.js'
import { isGroupReady, makeGroup, removeGroup, removeIpset, rulesOfGroup } from './group-rules.js'

/** A security group and its IP sets, which no VM uses before they are complete. */
export const setFirewallGroup = defineStep({
  kind: 'set-firewall-group',
  args: z.strictObject({ role: z.enum(['controlplane', 'worker']) }),
  title: ({ role }) => `make the security group of ${role === 'worker' ? 'workers' : 'control planes'} in Proxmox`,
  lane: () => ({ name: 'firewall-groups', limit: 1 }),
  changes: true,
  disruptive: false,
  inputs: ({ role }, desired) => ({ known: () => ({ policy: groupOf(desired, role).policy }) }),
  done: ({ role }, context) => isGroupReady(groupOf(context.desired, role), context),
  run: ({ role }, context) => makeGroup(groupOf(context.desired, role), context),
  effect: ({ role }, model, desired) =>
    model.change(({ proxmox }) => {
      if (proxmox.firewall?.seen !== true) return {}
      const group = groupOf(desired, role)
      const { name, comment, ipsets } = group
      const there = proxmox.firewall.value
      const others = there.groups.filter((other) => other.name !== name)
      const firewall = {
        ...there,
        groups: [...others, { name, comment, rules: rulesOfGroup(group) }],
        ipsets: [...there.ipsets, ...ipsets.map((ipset) => ({ name: ipset.name, comment }))],
      }
      return { proxmox: { ...proxmox, firewall: seen(firewall) } }
    }),
})

const leftovers = z.strictObject({ groups: z.array(z.string()).readonly(), ipsets: z.array(z.string()).readonly() })

/** Those of the cluster that no VM uses any more. */
export const removeFirewallGroups = defineStep({
  kind: 'remove-firewall-groups',
  args: leftovers,
  title: ({ groups, ipsets }) => `remove ${groups.length} security groups and ${ipsets.length} IP sets from Proxmox`,
  changes: true,
  disruptive: false,
  async done({ groups, ipsets }, { proxmox, signal }) {
    const [there, sets] = await Promise.all([
      proxmox.firewall.groups(signal),
      proxmox.firewall.ipsets({ kind: 'cluster' }, signal),
    ])
    return !there.some(({ name }) => groups.includes(name)) && !sets.some(({ name }) => ipsets.includes(name))
  },
  async run({ groups, ipsets }, context) {
    const there = await context.proxmox.firewall.groups(context.signal)
    for (const { name } of there.filter((group) => groups.includes(group.name))) await removeGroup(name, context)
    const sets = await context.proxmox.firewall.ipsets({ kind: 'cluster' }, context.signal)
    for (const { name } of sets.filter((ipset) => ipsets.includes(ipset.name))) await removeIpset(name, context)
  },
  effect: ({ groups, ipsets }, model) =>
    model.change(({ proxmox }) => {
      if (proxmox.firewall?.seen !== true) return {}
      const there = proxmox.firewall.value
      const firewall = {
        ...there,
        groups: there.groups.filter(({ name }) => !groups.includes(name)),
        ipsets: there.ipsets.filter(({ name }) => !ipsets.includes(name)),
      }
      return { proxmox: { ...proxmox, firewall: seen(firewall) } }
    }),
})

function groupOf({ vmFirewall }: Desired, role: Role): DesiredGroup {
  const found = vmFirewall?.groups[role]
  if (found === undefined) throw new Error('no security groups are wanted')
  return found
}
