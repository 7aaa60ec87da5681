import type { Load } from '../../proxmox/client/port.js'
import type { World } from '../../world.js'
import type { Status } from './status.js'

const patienceMs = 5000

/** What the hosts do now; `undefined` if this token may not read it, or Proxmox does not answer. */
export async function findLoad({ proxmox }: Pick<World, 'proxmox'>, signal: AbortSignal): Promise<Load | undefined> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  return proxmox.cluster.load(patience).catch(() => {
    signal.throwIfAborted()
    return undefined
  })
}

/** The stable form of `--json`; sizes in bytes. */
export interface HostLoadReport {
  readonly cpu_ratio: number
  readonly memory_used: number
  readonly memory_total: number
}

/** `null` for a host whose load is not known. */
export function loadReport(load: Load | undefined, host: string): HostLoadReport | null {
  const found = load?.hosts.find(({ name }) => name === host)
  if (found === undefined) return null
  return { cpu_ratio: found.cpuRatio, memory_used: found.memory.used, memory_total: found.memory.total }
}

/** The status with the load of its hosts. */
export function withLoad(status: Status, load: Load | undefined): Status {
  return { ...status, hosts: status.hosts.map((host) => ({ ...host, load: loadReport(load, host.name) })) }
}
