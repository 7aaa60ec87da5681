import type { KubernetesPort } from './kubernetes/port.js'
import type { ProxmoxPort } from './proxmox/port.js'
import type { Dialer } from './reach/dialer.js'
import type { TalosPort } from './talos/api/port.js'
import type { FactoryPort } from './talos/image/port.js'

/** Everything outside that a run can touch. Whoever is not handed one cannot do I/O. */
export interface World {
  readonly proxmox: ProxmoxPort
  readonly talos: TalosPort
  readonly kubernetes: KubernetesPort
  readonly factory: FactoryPort
  readonly dialer: Dialer
  readonly clock: Clock
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that only grow, whatever happens to the wall clock. */
  monotonic(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
