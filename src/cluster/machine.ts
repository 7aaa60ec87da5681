import type { Address, Cidr } from './address.js'

export type Role = 'controlplane' | 'worker'

/** The identity of a machine, on any host and with any VMID. */
export interface Identity {
  readonly name: string
  /** SMBIOS UUID, lower case. */
  readonly uuid: string
  /** MAC of net0, upper case with colons, as Proxmox prints it. */
  readonly mac: string
}

/** One wanted virtual machine: everything that does not depend on its placement. */
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
  /** The expected address: static, or reserved for its MAC by DHCP. Without prefix. */
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
  /** Something else made it. */
  readonly adopted?: Adopted
}

export interface Adopted {
  /** Options of its VM that stay as they are, whatever `vm` in the inventory is. */
  readonly keep: readonly string[]
  /** Its config was not read when it was adopted: it gets none before it was. */
  readonly unread?: boolean
  /** What it runs in place of the versions of the inventory, until `ichor upgrade` is asked. */
  readonly runs?: RunningVersions
}

export interface RunningVersions {
  readonly talos?: string
  /** Of the factory that built its image. */
  readonly schematic?: string
  readonly kubernetes?: string
}

export interface ExtraDisk {
  /** Bytes. */
  readonly size: number
  readonly datastore?: string
  /** The Talos user volume that it becomes; raw without one. */
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

/** A PCI device passed through by the name of its Proxmox resource mapping. */
export interface Device {
  readonly mapping: string
  readonly pcie: boolean
}

/** A VM of another owner, or one that is created once and then left unchanged: it only takes space. */
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
  /** Created once; afterwards never changed or deleted. */
  readonly create: boolean
}

/** The current host and VMID of a machine. Both may change, so they are looked up and never stored. */
export interface VmRef {
  readonly host: string
  readonly vmid: number
}

export const GiB = 1024 ** 3
export const MiB = 1024 ** 2
