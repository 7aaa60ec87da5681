import type { Role, VmRef } from '../cluster/machine.js'

/** A cluster that something else made, as it runs: read from Talos, Kubernetes and Proxmox. */
export interface FoundCluster {
  readonly machines: readonly FoundMachine[]
  /** Nodes that are part of the cluster and cannot be taken over now, with the reason. */
  readonly leftOut: readonly LeftOut[]
}

/** A node and its VM. */
export interface FoundMachine {
  /** Of the Kubernetes node. */
  readonly name: string
  readonly role: Role
  /** Of its Talos API. */
  readonly address: string
  /** SMBIOS UUID, lower case. */
  readonly uuid: string
  readonly vm: FoundVm
  /** What the node itself reported, over a connection that the cluster's CA vouches for; absent if it is off. */
  readonly talos?: FoundTalos
}

export interface FoundTalos {
  /** The active machine config; holds secrets. */
  readonly config: string
  readonly version: string
  readonly platform: string
  /** Of the factory that built its image. */
  readonly schematic?: string
  /** Without that of the schematic. */
  readonly extensions: readonly string[]
}

export interface FoundVm extends VmRef {
  readonly name: string
  readonly pool?: string
  /** MAC of net0, upper case. */
  readonly mac: string
  readonly options: Readonly<Record<string, string>>
}

export interface LeftOut {
  readonly name: string
  readonly why: string
}
