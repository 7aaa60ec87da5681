import { type Fields, fieldsOf, listOf, number, text } from './fields.js'
import type { HostLoad, Load, MachineLoad } from './load-port.js'
import type { ProxmoxApi } from './transport/api.js'

/**
 * Shape as in `PVE::PullMetric` of pve-manager 9.2 and in the API schema of 8.4 and 9.2: one entry for each value, with
 * an ID such as `node/pve1` or `qemu/100`. A host that does not answer is left out by Proxmox.
 */
export async function readLoad(api: ProxmoxApi, signal: AbortSignal): Promise<Load> {
  const { data } = fieldsOf(await api.get('/cluster/metrics/export', {}, signal))
  const values = byId(listOf(data))
  const named = (kind: string) =>
    [...values].flatMap(([id, found]) =>
      id.startsWith(`${kind}/`) ? [{ name: id.slice(kind.length + 1), found }] : [],
    )
  return {
    hosts: named('node').map(({ name, found }) => hostLoad(name, found)),
    machines: named('qemu').flatMap(({ name, found }) => machineLoad(Number(name), found)),
  }
}

type Values = ReadonlyMap<string, number>

/** The newest value of each metric: entries are sorted by time. */
function byId(entries: readonly Fields[]): Map<string, Map<string, number>> {
  const values = new Map<string, Map<string, number>>()
  for (const entry of entries) {
    const id = text(entry, 'id')
    const own = values.get(id) ?? new Map<string, number>()
    values.set(id, own.set(text(entry, 'metric'), number(entry, 'value')))
  }
  return values
}

function hostLoad(name: string, found: Values): HostLoad {
  const of = (metric: string) => found.get(metric) ?? 0
  return {
    name,
    cpuRatio: of('cpu_current'),
    ioWaitRatio: of('cpu_iowait'),
    memory: { total: of('mem_total'), used: of('mem_used') },
    traffic: { received: of('net_in'), sent: of('net_out') },
  }
}

/** A VM that is off has no load. */
function machineLoad(vmid: number, found: Values): MachineLoad[] {
  const cpuRatio = found.get('cpu_current')
  if (cpuRatio === undefined) return []
  const of = (metric: string) => found.get(metric) ?? 0
  return [
    {
      vmid,
      cpuRatio,
      traffic: { received: of('net_in'), sent: of('net_out') },
      disk: { read: of('disk_read'), written: of('disk_write') },
    },
  ]
}
