import type { MediumInfo } from './guest.js'
import type { DhcpScope } from './network.js'

/** The simulated datacenter in its initial state. */
export interface Topology {
  readonly hosts: readonly SimHost[]
  readonly storages: readonly SimStorage[]
  readonly pciMappings: readonly { readonly id: string; readonly host: string; readonly path: string }[]
  readonly dhcp: readonly DhcpScope[]
  /** The address of the user's computer, as firewalls see it. */
  readonly operator?: string
  /** Registries with every image, on a bridge of the hosts: on a bridge without a port, they are the only ones. */
  readonly registries?: readonly SimRegistry[]
  /** Files that are on their storage from the start, on every host that has it. */
  readonly files?: readonly SimFile[]
  /** A quorum device, which keeps even a single host quorate. */
  readonly quorumDevice?: boolean
  /** VMs that exist from the start. */
  readonly guests: readonly SimForeignGuest[]
}

export interface SimHost {
  readonly name: string
  /** Lab address of its API; the port is 8006. */
  readonly address: string
  /** Hardware threads. */
  readonly cpus: number
  /** Bytes. */
  readonly memory: number
  readonly bridges: readonly {
    readonly name: string
    readonly cidr?: string
    readonly gateway?: string
    readonly vlanAware: boolean
    /** No interface of the host is attached to it. */
    readonly isolated?: boolean
  }[]
}

export interface SimStorage {
  readonly id: string
  readonly type: 'dir' | 'lvmthin' | 'zfspool' | 'nfs' | 'rbd'
  readonly content: readonly string[]
  readonly shared: boolean
  /** All hosts if missing. */
  readonly hosts?: readonly string[]
  /** Bytes, on each host. */
  readonly total: number
}

export interface SimRegistry {
  readonly bridge: string
  /** `10.99.0.2:5000`. */
  readonly address: string
}

export interface SimFile {
  /** `local:iso/talos.iso`. */
  readonly volid: string
  /** What it boots; without it, the lab cannot boot it. */
  readonly medium?: MediumInfo
}

export interface SimForeignGuest {
  readonly vmid: number
  readonly name: string
  readonly host: string
  readonly cpus: number
  readonly memory: number
  readonly disk: number
  readonly running: boolean
}
