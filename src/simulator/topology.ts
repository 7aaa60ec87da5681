import type { MediumInfo } from './guest.js'
import type { DhcpScope } from './network.js'

/** What the simulated datacentre consists of before anybody touches it. */
export interface Topology {
  readonly hosts: readonly SimHost[]
  readonly storages: readonly SimStorage[]
  readonly pciMappings: readonly { readonly id: string; readonly host: string; readonly path: string }[]
  readonly dhcp: readonly DhcpScope[]
  /** Where the computer of the operator is, as firewalls see it. */
  readonly operator?: string
  /** Registries with every image, on a bridge of the hosts: on one without a port, only they can be pulled from. */
  readonly registries?: readonly SimRegistry[]
  /** Files that lie on their storage from the start, on every host that has it. */
  readonly files?: readonly SimFile[]
  /** A quorum device, which keeps even a single host quorate. */
  readonly quorumDevice?: boolean
  /** VMs that were there before us. */
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
    /** Nothing of the host is plugged into it. */
    readonly isolated?: boolean
  }[]
}

export interface SimStorage {
  readonly id: string
  readonly type: 'dir' | 'lvmthin' | 'zfspool' | 'nfs' | 'rbd'
  readonly content: readonly string[]
  readonly shared: boolean
  /** Missing: on every host. */
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
  /** What it boots; without it, nothing that the lab could boot. */
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
