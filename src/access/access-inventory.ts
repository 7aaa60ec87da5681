import type { Machine } from '../cluster/machine.js'
import type { ProxmoxVersion, Resources } from '../proxmox/client/port.js'

/** The part of an inventory that determines privileges. */
export interface AccessInventory {
  readonly settings: {
    readonly cluster_name: string
    readonly proxmox: {
      readonly pool: string
      readonly bridge: string
      /** Empty: all hosts of the Proxmox cluster. */
      readonly target_nodes: readonly string[]
      readonly datastore?: string
      readonly image_datastore?: string
      readonly template_datastore?: string
      readonly seed_datastore?: string
    }
    readonly guests: readonly AccessGuest[]
    readonly placement: { readonly evacuate: readonly string[]; readonly ha?: object | undefined }
    readonly vm: { readonly cpu_type: string; readonly startup?: string }
    readonly talos: { readonly boot: 'image' | 'iso' | 'template'; readonly delivery: 'cidata' | 'apply' }
    readonly network: { readonly mode: 'static' | 'dhcp'; readonly agent: boolean }
    readonly firewall?: { readonly enabled: boolean; readonly proxmox: boolean; readonly hosts?: boolean }
    readonly backup: { readonly machines?: { readonly datastore: string } }
    /** With a bridge, a drill creates a machine in a separate pool. */
    readonly drill?: { readonly bridge?: string; readonly datastore?: string }
  }
  readonly machines: readonly Pick<Machine, 'nics' | 'devices' | 'disks'>[]
}

/** A VM that is not a node; only one that is to be created needs rights. */
interface AccessGuest {
  readonly name: string
  readonly create: boolean
  readonly vmid?: number
  readonly datastore?: string
  readonly disks: readonly { readonly datastore?: string }[]
  readonly bridge?: string
  readonly iso?: string
  readonly devices: readonly { readonly mapping: string }[]
  readonly cpu_type?: string
  readonly startup?: string
}

/** Facts about the Proxmox that the privileges are for. */
export interface AccessFacts {
  readonly version: Pick<ProxmoxVersion, 'major'>
  readonly storages: Resources['storages']
  /** Names of all hosts of the Proxmox cluster. */
  readonly hosts: readonly string[]
}
