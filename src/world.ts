import type { KubernetesPort } from './kubernetes/port.js'
import type { ProxmoxPort } from './proxmox/client/port.js'
import type { Dialer } from './reach/dialer.js'
import type { ClusterMemory, SecretsFile } from './secrets/bundle.js'
import type { TalosPort } from './talos/api/port.js'
import type { FactoryPort } from './talos/image/port.js'

/** Everything outside that a run can touch. Whoever is not handed one cannot do I/O. */
export interface World {
  readonly proxmox: ProxmoxPort
  readonly talos: TalosPort
  readonly kubernetes: KubernetesPort
  readonly factory: FactoryPort
  readonly secrets: SecretsPort
  readonly dialer: Dialer
  readonly clock: Clock
}

/** The only thing that ichor remembers, encrypted beside the inventory or in a vault. */
export interface SecretsPort {
  /** For people: a path or an address. */
  readonly location: string
  find(): Promise<SecretsFile | undefined>
  /** Makes a bundle in the style of that contract and keeps it; throws when there is one already. */
  make(contract: string): Promise<void>
  remember(change: Partial<ClusterMemory>): Promise<void>
  remove(): Promise<void>
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that only grow, whatever happens to the wall clock. */
  monotonic(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
