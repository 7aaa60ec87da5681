import { clusterComment } from '../cluster/tag.js'
import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import type { HaGroup, HaResource, HaRule, HighAvailability } from '../proxmox/client/port.js'
import type { WorkContext } from '../work/work-context.js'
import type { OwnedVm } from './owned-vm.js'

/** The part that belongs to this cluster: resources of proven machines, and groups and rules marked as ours. */
export function ownHa(
  ha: HighAvailability,
  { cluster }: Pick<Desired, 'cluster'>,
  { machines }: Pick<Observed, 'machines'>,
): HighAvailability {
  const vmids = new Set(machines.map(({ vmid }) => vmid))
  const isOurs = ({ comment }: { readonly comment?: string }) => comment === clusterComment(cluster.name)
  return {
    resources: ha.resources.filter((resource) => vmids.has(resource.vmid) && isOurs(resource)),
    groups: ha.groups.filter(isOurs),
    rules: ha.rules.filter(isOurs),
  }
}

/** What to set and remove to reach the wanted HA configuration. */
export interface HaChange {
  readonly set: HighAvailability
  readonly removed: { readonly groups: readonly HaGroup[]; readonly rules: readonly HaRule[] }
}

export function haChange(wanted: HighAvailability, there: HighAvailability, own: HighAvailability): HaChange {
  const keep = new Set([...wanted.groups, ...wanted.rules].map(({ id }) => id))
  return {
    set: {
      resources: missing(wanted.resources, there.resources, resourceText),
      groups: missing(wanted.groups, there.groups, groupText),
      rules: missing(wanted.rules, there.rules, ruleText),
    },
    removed: {
      groups: own.groups.filter(({ id }) => !keep.has(id)),
      rules: own.rules.filter(({ id }) => !keep.has(id)),
    },
  }
}

export function isHaChange({ set, removed }: HaChange): boolean {
  return [set.resources, set.groups, set.rules, removed.groups, removed.rules].some((list) => list.length > 0)
}

/**
 * Called before a machine shuts itself down, because HA would start it again. The HA state `stopped` would stop it at
 * once, in the middle of a reset; `ignored` leaves it alone.
 */
export async function withdrawFromHa(owned: OwnedVm, context: WorkContext): Promise<HaResource | undefined> {
  const status = await context.proxmox.machines.findStatus(owned, context.signal)
  if (status?.haManaged !== true) return undefined
  const resources = await context.proxmox.highAvailability.resources(context.signal)
  const resource = resources.find(({ vmid }) => vmid === owned.vmid)
  if (resource === undefined || resource.state === 'ignored') return undefined
  context.assertLease()
  await context.proxmox.highAvailability.setResource({ ...resource, state: 'ignored' }, context.signal)
  return resource
}

/** When it runs again, HA manages it as before. */
export async function returnToHa(resource: HaResource | undefined, context: WorkContext): Promise<void> {
  if (resource === undefined) return
  context.assertLease()
  await context.proxmox.highAvailability.setResource({ ...resource, state: 'started' }, context.signal)
}

function missing<T>(wanted: readonly T[], there: readonly T[], textOf: (one: T) => string): T[] {
  const known = new Set(there.map(textOf))
  return wanted.filter((one) => !known.has(textOf(one)))
}

function resourceText({ vmid, state, maxRestart, maxRelocate, comment, group }: HaResource): string {
  return JSON.stringify([vmid, state, maxRestart, maxRelocate, comment, group])
}

function groupText({ id, hosts, restricted, comment }: HaGroup): string {
  return JSON.stringify([id, [...hosts].sort(), restricted, comment])
}

function ruleText(rule: HaRule): string {
  const vmids = [...rule.vmids].sort((one, other) => one - other)
  const how = rule.type === 'node-affinity' ? [[...rule.hosts].sort(), rule.strict] : [rule.together]
  return JSON.stringify([rule.type, rule.id, vmids, how, rule.comment])
}
