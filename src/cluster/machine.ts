import type { Address, Cidr } from './address.js'

export type Role = 'controlplane' | 'worker'

/** Who a machine is, wherever it runs and whatever VMID it has. */
export interface Identity {
  readonly name: string
  /** SMBIOS UUID, lower case. */
  readonly uuid: string
  /** MAC of net0, upper case with colons, as Proxmox prints it. */
  readonly mac: string
}

/** One virtual machine that is wanted: everything about it that does not depend on where it ends up. */
export interface Machine {
  readonly name: string
  readonly role: Role
  /** `controlplane`, `workers`, or the name of a worker pool. */
  readonly pool: string
  /** Position in its VMID and address range. */
  readonly index: number
  readonly identity: Identity
  readonly cpu: number
  /** Bytes. */
  readonly memory: number
  /** Bytes, of the system disk. */
  readonly disk: number
  readonly disks: readonly ExtraDisk[]
  /** The first one is net0. */
  readonly nics: readonly [Nic, ...Nic[]]
  /** Where it will answer, as far as the inventory knows: static, or reserved for its MAC by DHCP. Without prefix. */
  readonly address?: Address
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly devices: readonly Device[]
  readonly extensions: readonly string[]
  /** The host that the inventory pins it to. */
  readonly host?: string
  /** The VMID that the inventory fixes. */
  readonly vmid?: number
  readonly isProtected: boolean
}

export interface ExtraDisk {
  /** Bytes. */
  readonly size: number
  readonly datastore?: string
  /** Name of the Talos user volume that it becomes; without one it stays raw. */
  readonly volume?: string
}

export interface Nic {
  readonly mac: string
  readonly bridge: string
  readonly vlan?: number
  readonly mtu?: number
  /** Static addresses with their prefix; none with `dhcp`. */
  readonly addresses: readonly Cidr[]
  readonly gateway?: Address
  readonly dhcp: boolean
}

export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
}

/** A PCI device handed through by the name of its Proxmox resource mapping. */
export interface Device {
  readonly mapping: string
  readonly pcie: boolean
}

/** Somebody else's VM, or one that is made once and then left alone: it only takes space. */
export interface Guest {
  readonly name: string
  readonly cpu: number
  /** Bytes. */
  readonly memory: number
  /** Bytes. */
  readonly disk: number
  readonly host: string
  readonly vmid?: number
  readonly address?: Address
  readonly devices: readonly Device[]
  /** Made once; afterwards never changed or deleted. */
  readonly create: boolean
}

/** Where a machine stands: its host and VMID at this moment. Both may change, so it is looked up, never kept. */
export interface VmRef {
  readonly host: string
  readonly vmid: number
}

export const GiB = 1024 ** 3
export const MiB = 1024 ** 2
