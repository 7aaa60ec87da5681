import type { Datacenter } from '../datacenter.js'
import { type Call, find, may, type Routes } from '../http/call.js'
import { isListed } from '../quorum.js'
import type { HostState, VmState } from '../state.js'
import { storageStatus } from '../storage/status.js'
import { isDisabled, isOnHost, usageByPlace } from '../storage/storages.js'
import { summaryOf } from '../vm/status.js'

/** The pool of a VM. */
function poolOf({ state }: Datacenter, vmid: number): string | undefined {
  return Object.values(state.pools).find((pool) => pool.vms.includes(vmid))?.poolid
}

/** Name and state come from the statistics daemon with a delay; lock and tags are current. */
export function vmResource(datacenter: Datacenter, vm: VmState): Record<string, unknown> {
  const { state, clock } = datacenter
  const host = state.hosts[vm.host]
  const pool = poolOf(datacenter, vm.vmid)
  const resource = state.sections.ha?.[`vm:${vm.vmid}`]
  const identity = { id: `qemu/${vm.vmid}`, vmid: vm.vmid, node: vm.host, type: 'qemu' }
  const live = {
    ...(vm.config.lock === undefined ? {} : { lock: vm.config.lock }),
    ...(vm.config.tags === undefined ? {} : { tags: vm.config.tags }),
    ...(pool === undefined ? {} : { pool }),
    ...(resource === undefined ? {} : { hastate: vm.ha ?? 'queued' }),
  }
  if (clock.now() < vm.seenAt || host === undefined || !isListed(datacenter, host))
    return { ...identity, status: 'unknown', ...live }
  const { name, status, cpus, cpu, maxmem, mem, memhost, maxdisk, disk, uptime, netin, netout } = summaryOf(
    datacenter,
    vm,
  )
  const statistics = {
    name,
    status: isOlder(datacenter, vm) ? opposite(status) : status,
    cpu,
    maxmem,
    mem,
    maxdisk,
    disk,
    uptime,
    netin,
    netout,
    maxcpu: cpus,
    diskread: 0,
    diskwrite: 0,
  }
  const template = vm.config.template === '1' ? 1 : 0
  return { ...identity, ...statistics, template, ...live, ...(memhost === undefined ? {} : { memhost }) }
}

/** Whether the statistics daemon has not polled since the VM was started or stopped. */
function isOlder({ clock, trouble: { statisticsDelayMs } }: Datacenter, vm: VmState): boolean {
  if (statisticsDelayMs === 0) return false
  const changedAt = vm.running ? vm.startedAt : (vm.stoppedAt ?? 0)
  return changedAt > 0 && clock.now() < changedAt + statisticsDelayMs
}

function opposite(status: unknown): string {
  return status === 'running' ? 'stopped' : 'running'
}

export function nodeResource(
  datacenter: Datacenter,
  host: HostState,
  withStatistics: boolean,
): Record<string, unknown> {
  const identity = {
    id: `node/${host.name}`,
    node: host.name,
    type: 'node',
    status: isListed(datacenter, host) ? 'online' : 'offline',
    level: '',
  }
  return withStatistics && isListed(datacenter, host) ? { ...identity, ...nodeStatistics(datacenter, host) } : identity
}

/** The configured memory of running VMs counts as used. */
export function nodeStatistics({ state, clock }: Datacenter, host: HostState): Record<string, number> {
  const running = Object.values(state.vms).filter((vm) => vm.host === host.name && vm.running)
  const guests = running.reduce(
    (sum, vm) => sum + Number((vm.config.memory ?? '512').replace('current=', '')) * 1024 ** 2,
    0,
  )
  return {
    cpu: Math.min(0.95, 0.02 + running.length * 0.01),
    maxcpu: host.cpus,
    mem: Math.min(host.memory, 1.5 * 1024 ** 3 + guests / 2),
    maxmem: host.memory,
    disk: Math.floor(host.rootTotal / 10),
    maxdisk: host.rootTotal,
    uptime: Math.max(0, Math.floor((clock.now() - host.bootedAt) / 1000)),
  }
}

function storageResources(call: Call): unknown[] {
  const { datacenter } = call
  const usage = usageByPlace(datacenter)
  return Object.values(datacenter.state.hosts).flatMap((host) =>
    Object.values(datacenter.state.storages)
      .filter((storage) => !isDisabled(storage) && isOnHost(storage, host.name))
      .filter((storage) => may(call, `/storage/${storage.id}`, ['Datastore.Audit']))
      .map((storage) => {
        const { type, content, shared, total, used } = storageStatus(datacenter, storage, host.name, usage)
        const identity = {
          id: `storage/${host.name}/${storage.id}`,
          type: 'storage',
          storage: storage.id,
          node: host.name,
          plugintype: type,
          content,
          shared,
        }
        return isListed(datacenter, host)
          ? { ...identity, status: 'available', disk: used, maxdisk: total }
          : { ...identity, status: 'unknown' }
      }),
  )
}

function networkResources({ datacenter }: Call): unknown[] {
  const zones = ['localnetwork', ...Object.keys(datacenter.state.sections.zones ?? {})]
  return Object.keys(datacenter.state.hosts).flatMap((node) =>
    zones.map((zone) =>
      datacenter.pve === 8
        ? { id: `sdn/${node}/${zone}`, type: 'sdn', sdn: zone, node, status: 'ok' }
        : {
            id: `network/${node}/zone/${zone}`,
            type: 'network',
            'network-type': 'zone',
            network: zone,
            node,
            status: 'ok',
          },
    ),
  )
}

function resources(call: Call): unknown[] {
  const { datacenter } = call
  const type = find(call, 'type')
  const wants = (kind: string) => type === undefined || type === kind
  const vms = Object.values(datacenter.state.vms).filter((vm) => may(call, `/vms/${vm.vmid}`, ['VM.Audit']))
  const pools = Object.values(datacenter.state.pools).filter((pool) =>
    may(call, `/pool/${pool.poolid}`, ['Pool.Audit']),
  )
  return [
    ...(type === undefined ? pools.map(({ poolid }) => ({ id: `/pool/${poolid}`, pool: poolid, type: 'pool' })) : []),
    ...(wants('vm') ? vms.map((vm) => vmResource(datacenter, vm)) : []),
    ...(wants('node') ? Object.values(datacenter.state.hosts).map((host) => clusterNode(call, host)) : []),
    ...(wants('storage') ? storageResources(call) : []),
    ...(wantsNetworks(datacenter, type) &&
    may(call, '/sdn/zones/localnetwork', ['SDN.Audit', 'SDN.Use', 'SDN.Allocate'], true)
      ? networkResources(call)
      : []),
  ]
}

/** 9 calls them networks, and has no filter for them. */
function wantsNetworks({ pve }: Datacenter, type: string | undefined): boolean {
  return type === undefined || (type === 'sdn' && pve === 8)
}

function clusterNode(call: Call, host: HostState): Record<string, unknown> {
  const hastate = isListed(call.datacenter, host) ? { hastate: 'online', 'cgroup-mode': 2 } : {}
  return { ...nodeResource(call.datacenter, host, may(call, `/nodes/${host.name}`, ['Sys.Audit'])), ...hastate }
}

export const resourceRoutes: Routes = { 'GET /cluster/resources': resources }
