import type { Address } from '../cluster/address.js'
import type { Inventory } from '../inventory/inventory.js'

/** What placement must know about the world: plain values that an observer fills in. */
export interface Facts {
  readonly hosts: readonly HostFacts[]
  /** Every VM and container of the Proxmox cluster, ours and others'. */
  readonly guests: readonly GuestFacts[]
  /** Hosts that machines go back to which have no VM at the moment, by name. */
  readonly homes?: Readonly<Record<string, string>>
}

export interface HostFacts {
  readonly name: string
  readonly online: boolean
  readonly maintenance: boolean
  /** Hardware threads. */
  readonly cpus: number
  /** Bytes. */
  readonly memory: number
  /** Bytes in use, as the host itself counts them. */
  readonly memoryUsed?: number
  readonly storages: readonly StorageFacts[]
  /** PCI resource mappings with a device on this host; a mapping with several devices stands here several times. */
  readonly pciMappings: readonly string[]
}

export interface StorageFacts {
  readonly id: string
  /** One and the same storage on every host that has it. */
  readonly shared: boolean
  /** Bytes. */
  readonly free: number
  /** Bytes. */
  readonly total: number
  readonly content: readonly string[]
}

export interface GuestFacts {
  readonly vmid: number
  readonly name?: string
  readonly host: string
  readonly cpus: number
  /** Bytes. */
  readonly memory: number
  readonly running: boolean
  readonly onboot: boolean
  /** Proven to be a machine of this cluster: it then has the machine's name. */
  readonly isOurs: boolean
  /** What moving it takes; absent where it cannot be moved. */
  readonly move?: MoveFacts
}

export interface MoveFacts {
  /** Storages that its disks lie on, and the bytes that must be free there on another host: none on a shared one. */
  readonly disks: readonly { readonly storage: string; readonly size: number }[]
  /** The host that it left when that was evacuated. */
  readonly home?: string
}

/** An address that somebody has, and how we know. */
export interface AddressFacts {
  readonly address: Address
  /** For people: `VM 104 (db-1) on pve2`, `something that answers on port 6443`. */
  readonly owner: string
}

/** The part of an inventory that placement looks at. */
export type Wanted = Pick<Inventory, 'settings' | 'machines' | 'guests' | 'where'>
