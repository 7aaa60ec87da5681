import { groupBy } from '../../cluster/lookup.js'
import type { Machine } from '../../cluster/machine.js'
import { ifSeen } from '../../cluster/seen.js'
import { clusterComment } from '../../cluster/tag.js'
import type { DesiredMachine } from '../../desired/desired.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Observed, ObservedMachine } from '../../observe/observed.js'
import type { HaGroup, HaResource, HaRule, HighAvailability } from '../../proxmox/client/port.js'

/** Hosts that certain machines are restricted to. */
interface Affinity {
  readonly id: string
  readonly hosts: readonly string[]
  readonly vmids: readonly number[]
}

/**
 * The resources for Proxmox HA: machines on which Talos is installed, each with its allowed hosts, and on Proxmox 9
 * control planes apart. HA starts its resources, so a machine that is still being created is not included.
 */
export function highAvailabilityOf(
  { settings }: Inventory,
  machines: readonly DesiredMachine[],
  observed: Observed,
  replacing: Readonly<Record<string, string>> = {},
): HighAvailability | undefined {
  const { ha } = settings.placement
  if (ha === undefined) return undefined
  const known = new Map(haIn(observed)?.resources.map((resource) => [resource.vmid, resource]))
  const seen = new Map(observed.machines.map((machine) => [machine.name, machine]))
  const managed = machines.filter(({ machine: { name }, vmid }) => {
    const there = seen.get(name)
    return there !== undefined && isManaged(there, known.get(vmid)) && !isReplaced(there, replacing[name])
  })
  const comment = clusterComment(settings.cluster_name)
  const { target_nodes: allowed } = settings.proxmox
  const affinities = affinitiesOf(settings.cluster_name, managed, allowed, observed)
  const hasGroups = observed.proxmox.version.major < 9
  const groupOf = new Map(hasGroups ? affinities.flatMap(({ id, vmids }) => vmids.map((vmid) => [vmid, id])) : [])
  return {
    resources: managed.map(({ vmid }) => {
      const group = groupOf.get(vmid)
      const tries = { maxRestart: ha.max_restart, maxRelocate: ha.max_relocate }
      return { vmid, state: 'started', ...tries, comment, ...(group === undefined ? {} : { group }) }
    }),
    groups: hasGroups ? affinities.map(({ id, hosts }): HaGroup => ({ id, hosts, restricted: true, comment })) : [],
    rules: hasGroups
      ? []
      : [...affinities.map(keptOn(comment)), ...controlPlanesApart(settings, allowed, managed, observed)],
  }
}

function haIn({ proxmox: { ha } }: Observed): HighAvailability | undefined {
  return ha === undefined ? undefined : ifSeen(ha)
}

function isManaged({ mark, talos }: ObservedMachine, resource: HaResource | undefined): boolean {
  if (mark.stage !== 'made' || mark.more?.replace !== undefined) return false
  return talos.reach === 'secured' || resource?.state === 'started'
}

function isReplaced({ mark }: ObservedMachine, byRun: string | undefined): boolean {
  return byRun !== undefined && mark.more?.replaced !== byRun
}

/** Machines that may not run on every host, by allowed hosts. */
function affinitiesOf(
  cluster: string,
  machines: readonly DesiredMachine[],
  allowed: readonly string[],
  { proxmox: { hosts, storages } }: Observed,
): Affinity[] {
  const having = groupBy(storages, ({ storage }) => storage)
  // HA moves a machine that violates a rule without handing over etcd: its current host is always allowed.
  const hostsFor = ({ machine, disks, host: here }: DesiredMachine): string[] =>
    hosts
      .map(({ name }) => name)
      .filter((host) => host === here || isAllowed(host, machine, allowed))
      .filter((host) => disks.every(({ datastore }) => having.get(datastore)?.some((one) => one.host === host)))
      .sort()
  const bySet = groupBy(machines, (machine) => hostsFor(machine).join(','))
  return [...bySet].flatMap(([set, members]) => {
    const names = set.split(',')
    if (set === '' || names.length === hosts.length) return []
    return { id: `ichor-${cluster}-on-${names.join('-')}`, hosts: names, vmids: members.map(({ vmid }) => vmid) }
  })
}

function isAllowed(host: string, machine: Machine, allowed: readonly string[]): boolean {
  return machine.host === undefined ? isOpen(host, allowed) : machine.host === host
}

function isOpen(host: string, allowed: readonly string[]): boolean {
  return allowed.length === 0 || allowed.includes(host)
}

function keptOn(comment: string): (affinity: Affinity) => HaRule {
  return ({ id, hosts, vmids }) => ({ type: 'node-affinity', id, hosts, vmids, strict: true, comment })
}

/**
 * With fewer hosts than control planes Proxmox would refuse the rule, and it would keep them from leaving an evacuated
 * host. HA moves machines that violate a new rule without handing over etcd, so the rule is added once they are apart.
 */
function controlPlanesApart(
  { cluster_name: cluster, placement: { evacuate } }: Inventory['settings'],
  allowed: readonly string[],
  managed: readonly DesiredMachine[],
  observed: Observed,
): HaRule[] {
  const apart = managed.filter(({ machine }) => machine.role === 'controlplane')
  const id = `ichor-${cluster}-control-planes-apart`
  const isThere = haIn(observed)?.rules.some((rule) => rule.id === id) ?? false
  const areApart = new Set(apart.map(({ host }) => host)).size === apart.length
  const hosts = observed.proxmox.hosts.filter(({ name }) => isOpen(name, allowed) && !evacuate.includes(name))
  if (apart.length < 2 || apart.length > hosts.length || !(isThere || areApart)) return []
  const vmids = apart.map(({ vmid }) => vmid)
  return [{ type: 'resource-affinity', id, vmids, together: false, comment: clusterComment(cluster) }]
}
