import type { SimClock } from '../core/clock.js'
import type { Faults } from '../core/faults.js'
import type { MediumInfo } from '../core/guest.js'
import type { Ledger } from '../core/ledger.js'
import type { LabNetwork } from '../core/network.js'
import type { SimRegistry } from '../core/topology.js'
import type { KubernetesKind } from '../kubernetes/seam.js'
import type { Discovery } from './cluster/discovery.js'
import type { KubernetesApis } from './cluster/kubernetes-apis.js'
import type { VipLeases } from './cluster/vip-leases.js'
import type { EtcdRegistry } from './etcd/etcd-registry.js'
import type { TalosMachine } from './machine/machine.js'

/** What all simulated machines of a lab share, and how they find each other. */
export interface Fleet {
  readonly clock: SimClock
  readonly network: LabNetwork
  readonly kubernetes: KubernetesKind
  readonly faults: Faults
  readonly ledger: Ledger
  /** Repeatable randomness from the lab's seed: `bytes` of it in hex. */
  readonly randomHex: (bytes: number) => string
  readonly machines: ReadonlySet<TalosMachine>
  /** Machines with a firewall. */
  readonly guarded: Set<TalosMachine>
  readonly etcd: EtcdRegistry
  readonly discovery: Discovery
  readonly apis: KubernetesApis
  readonly vips: VipLeases
  /** Registries on a bridge of the lab. */
  readonly registries: readonly SimRegistry[]
  /** Images that install but do not boot. */
  readonly brokenImages: ReadonlySet<string>
  /** What an installer image would write; `undefined` if no registry of the lab has it. */
  findInstaller(reference: string): MediumInfo | undefined
  killCaller(): void
}
