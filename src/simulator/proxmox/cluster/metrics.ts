import type { Datacenter } from '../datacenter.js'
import { type Call, find, type Routes } from '../http/call.js'
import type { HostState, VmState } from '../state.js'
import { capacityOf, isDisabled, isOnHost, usageByPlace } from '../storage/storages.js'
import { summaryOf } from '../vm/status.js'
import { nodeStatistics } from './resources.js'

type Values = Readonly<Record<string, unknown>>

/** Bytes that the lab's hosts and machines receive in a second: counters grow, whatever they carry. */
const receivedPerSecond = { node: 4096, qemu: 1024 }

/** As pve-manager's `PVE::PullMetric` of 9.2 writes them: one object for each value, counters as `derive`. */
function metricsOf(id: string, timestamp: number, gauges: Values, derived: Values = {}): unknown[] {
  const rows = (type: string, values: Values) =>
    Object.entries(values).map(([metric, value]) => ({ id, metric, value: Number(value), timestamp, type }))
  return [...rows('gauge', gauges), ...rows('derive', derived)]
}

function ofHost(datacenter: Datacenter, host: HostState, at: number): unknown[] {
  const { cpu = 0, maxcpu, mem, maxmem, disk, maxdisk, uptime = 0 } = nodeStatistics(datacenter, host)
  const load = { cpu_avg1: cpu, cpu_avg5: cpu, cpu_avg15: cpu, cpu_max: maxcpu, cpu_current: cpu, cpu_iowait: 0 }
  const memory = { mem_total: maxmem, mem_used: mem, swap_total: 0, swap_used: 0 }
  const traffic = uptime * receivedPerSecond.node
  return metricsOf(
    `node/${host.name}`,
    at,
    { uptime, ...load, ...memory, disk_total: maxdisk, disk_used: disk },
    { net_in: traffic, net_out: traffic },
  )
}

/** A VM that is off has neither load nor counters. */
function ofVm(datacenter: Datacenter, vm: VmState, at: number): unknown[] {
  const { uptime, cpus, cpu, mem, maxmem, maxdisk } = summaryOf(datacenter, vm)
  const size = { uptime, cpu_max: cpus, mem_total: maxmem, disk_total: maxdisk }
  if (!vm.running) return metricsOf(`qemu/${vm.vmid}`, at, size)
  const traffic = Number(uptime) * receivedPerSecond.qemu
  return metricsOf(
    `qemu/${vm.vmid}`,
    at,
    { cpu_current: cpu, mem_used: mem, ...size },
    { disk_read: 0, disk_write: 0, net_in: traffic, net_out: traffic },
  )
}

function ofStorages(
  datacenter: Datacenter,
  host: HostState,
  at: number,
  usage: ReadonlyMap<string, number>,
): unknown[] {
  return Object.values(datacenter.state.storages)
    .filter((storage) => !isDisabled(storage) && isOnHost(storage, host.name))
    .flatMap((storage) => {
      const { total, used } = capacityOf(datacenter, storage, host.name, usage)
      return metricsOf(`storage/${host.name}/${storage.id}`, at, { disk_total: total, disk_used: used })
    })
}

/** Every host answers for itself; one that is offline is left out. The lab keeps no history. */
function exported(call: Call): unknown {
  const { datacenter } = call
  const at = Math.floor(datacenter.clock.now() / 1000)
  const since = Number(find(call, 'start-time') ?? 0)
  const named = find(call, 'node-list')?.split(',')
  const hosts = Object.values(datacenter.state.hosts).filter(
    ({ online, name }) => online && (named === undefined || named.includes(name)),
  )
  const usage = usageByPlace(datacenter)
  const data = hosts.flatMap((host) => [
    ...ofHost(datacenter, host, at),
    ...Object.values(datacenter.state.vms)
      .filter((vm) => vm.host === host.name)
      .flatMap((vm) => ofVm(datacenter, vm, at)),
    ...ofStorages(datacenter, host, at, usage),
  ])
  return { data: at > since ? data : [] }
}

export const metricRoutes: Routes = { 'GET /cluster/metrics/export': exported }
