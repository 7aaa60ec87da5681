import { seen } from '../../cluster/seen.js'
import type { HighAvailability } from '../../proxmox/client/port.js'
import { defineStep, noArgs } from '../../steps/step.js'
import { haChange, isHaChange, ownHa } from '../../vm/high-availability.js'
import type { WorkContext } from '../../work/work-context.js'

const nothing: HighAvailability = { resources: [], groups: [], rules: [] }

/** Configures Proxmox HA as the inventory specifies. */
export const setHighAvailability = defineStep({
  kind: 'set-high-availability',
  args: noArgs,
  title: (_args, { cluster }) => `set the high availability of ${cluster.name} in Proxmox`,
  changes: true,
  disruptive: false,
  inputs: (_args, { highAvailability }) => ({ known: () => ({ highAvailability }) }),
  done: async (_args, context) => !isHaChange(await changeNow(context)),
  async run(_args, context) {
    const { set, removed } = await changeNow(context)
    const { highAvailability } = context.proxmox
    const { signal } = context
    context.assertLease()
    // A resource names its group and a rule its resources, so the named ones are created first.
    for (const group of set.groups) await highAvailability.setGroup(group, signal)
    for (const resource of set.resources) await highAvailability.setResource(resource, signal)
    for (const rule of set.rules) await highAvailability.setRule(rule, signal)
    for (const { id } of removed.groups) await highAvailability.removeGroup(id, signal)
  },
  effect: (_args, model, { highAvailability = nothing }) =>
    model.change(({ proxmox }) => ({ proxmox: { ...proxmox, ha: seen(highAvailability) } })),
})

/** Removes rules that would keep machines on hosts they must leave, before anything moves. */
export const dropHaRules = defineStep({
  kind: 'drop-ha-rules',
  args: noArgs,
  title: (_args, { cluster }) => `remove rules of Proxmox HA for ${cluster.name}`,
  changes: true,
  disruptive: false,
  done: async (_args, context) => (await changeNow(context)).removed.rules.length === 0,
  async run(_args, context) {
    const { removed } = await changeNow(context)
    context.assertLease()
    for (const { id } of removed.rules) await context.proxmox.highAvailability.removeRule(id, context.signal)
  },
  effect: (_args, model, { highAvailability = nothing }) =>
    model.change(({ proxmox }) => {
      const kept = new Set(highAvailability.rules.map(({ id }) => id))
      const ha = proxmox.ha?.seen ? { ha: seen(withRules(proxmox.ha.value, kept)) } : {}
      return { proxmox: { ...proxmox, ...ha } }
    }),
})

function withRules(ha: HighAvailability, kept: ReadonlySet<string>): HighAvailability {
  return { ...ha, rules: ha.rules.filter(({ id }) => kept.has(id)) }
}

/** No longer wanted: the machines stay unchanged, and HA stops managing them. */
export const removeHighAvailability = defineStep({
  kind: 'remove-high-availability',
  args: noArgs,
  title: (_args, { cluster }) => `remove the high availability of ${cluster.name} from Proxmox`,
  changes: true,
  disruptive: false,
  done: async (_args, context) => {
    const { resources, groups, rules } = await ownNow(context)
    return resources.length + groups.length + rules.length === 0
  },
  async run(_args, context) {
    const { resources, groups, rules } = await ownNow(context)
    const { highAvailability } = context.proxmox
    const { signal } = context
    context.assertLease()
    for (const { id } of rules) await highAvailability.removeRule(id, signal)
    for (const { vmid } of resources) await highAvailability.removeResource(vmid, signal)
    for (const { id } of groups) await highAvailability.removeGroup(id, signal)
  },
  effect: (_args, model) => model.change(({ proxmox }) => ({ proxmox: { ...proxmox, ha: seen(nothing) } })),
})

async function changeNow({ proxmox, desired, observed, signal }: WorkContext) {
  const there = await proxmox.highAvailability.read(observed.proxmox.version.major, signal)
  return haChange(desired.highAvailability ?? nothing, there, ownHa(there, desired, observed))
}

async function ownNow({ proxmox, desired, observed, signal }: WorkContext): Promise<HighAvailability> {
  return ownHa(await proxmox.highAvailability.read(observed.proxmox.version.major, signal), desired, observed)
}
