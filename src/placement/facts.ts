import type { Address } from '../cluster/address.js'
import type { Inventory } from '../inventory/inventory.js'

/** What placement needs to know: plain values from the observed state. */
export interface Facts {
  readonly hosts: readonly HostFacts[]
  /** All VMs and containers of the Proxmox cluster, ours and others. */
  readonly guests: readonly GuestFacts[]
  /** Hosts that machines without a VM return to, by machine name. */
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
  /** Bytes in use, as the host reports them. */
  readonly memoryUsed?: number
  readonly storages: readonly StorageFacts[]
  /** PCI resource mappings with a device on this host; a mapping is listed once per device. */
  readonly pciMappings: readonly string[]
}

export interface StorageFacts {
  readonly id: string
  /** The same storage on every host that has it. */
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
  /** What moving it needs; absent if it cannot be moved. */
  readonly move?: MoveFacts
}

export interface MoveFacts {
  /** Storages of its disks, and the bytes needed there on another host: none on a shared one. */
  readonly disks: readonly { readonly storage: string; readonly size: number }[]
  /** The host that it left because of an evacuation. */
  readonly home?: string
}

/** A taken address, and how it was found. */
export interface AddressFacts {
  readonly address: Address
  /** For messages: `VM 104 (db-1) on pve2`, `something that answers on port 6443`. */
  readonly owner: string
}

/** The part of an inventory that placement uses. */
export type Wanted = Pick<Inventory, 'settings' | 'machines' | 'guests' | 'where'>
