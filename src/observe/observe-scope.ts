import { lookupBy } from '../cluster/lookup.js'
import type { Machine } from '../cluster/machine.js'
import { clusterTag } from '../cluster/tag.js'
import type { Inventory } from '../inventory/inventory.js'

export interface GuestToMake {
  readonly name: string
  readonly host: string
  readonly vmid?: number
}

/** What to query: which VMs could be ours, and where images and seeds could be. */
export interface ObserveScope {
  readonly clusterName: string
  readonly pool: string
  readonly tag: string
  readonly machines: readonly Machine[]
  readonly kubernetesVersion: string
  /** Moves between control planes, so it is not the address of any of them. */
  readonly vip?: string
  /** Where to look for machines first: the VMID that each has if it is free. */
  readonly vmids: readonly number[]
  /** VMIDs of templates. */
  readonly templateIds: readonly { readonly from: number; readonly to: number }[]
  /** Hosts that machines may run on; empty: all. */
  readonly hosts: readonly string[]
  readonly bridge: string
  /** Prefix and gateway must be read from the bridge. */
  readonly needsBridge: boolean
  /** Where images and seeds are, if the inventory names both; otherwise any storage. */
  readonly datastores: readonly string[]
  /** The content type of images in Proxmox: media that machines boot from, or disks to import. */
  readonly imageContent: 'iso' | 'import'
  /** Media that the user has put on storages, for machines on any host or for one guest. */
  readonly media: readonly { readonly storage: string; readonly guest?: GuestToMake }[]
  /** Guests whose VMID is not known in advance: they are recognised by name. */
  readonly namesGuests: boolean
  /** Machines are cloned from templates, including their disks. */
  readonly isCloned: boolean
  /** PCI mappings must be queried. */
  readonly hasDevices: boolean
  /** The inventory has Proxmox backups. */
  readonly wantsBackups: boolean
  /** The inventory uses Proxmox HA. */
  readonly wantsHa: boolean
  /** VMs have Proxmox firewall rules. */
  readonly setsVmRules: boolean
  /** The inventory enables the datacenter firewall. */
  readonly setsHostRules: boolean
  /** The inventory sets the order of machines at host start. */
  readonly setsStartup: boolean
  /** Nodes have a firewall, which is tested before it is kept. */
  readonly triesRules: boolean
  /** Machines must have booted with Secure Boot. */
  readonly wantsSecureBoot: boolean
}

export function questionOf(inventory: Inventory): ObserveScope {
  const { settings, machines, guests } = inventory
  const { proxmox, talos } = settings
  const named = [proxmox.image_datastore, proxmox.seed_datastore].filter((name) => name !== undefined)
  return {
    clusterName: settings.cluster_name,
    pool: proxmox.pool,
    tag: clusterTag(settings.cluster_name),
    machines,
    kubernetesVersion: settings.kubernetes_version,
    ...(settings.network.vip === undefined ? {} : { vip: settings.network.vip }),
    vmids: intendedVmids(inventory),
    templateIds: settings.vm_ids.template,
    hosts: proxmox.target_nodes,
    bridge: proxmox.bridge,
    needsBridge: settings.network.mode === 'static' && settings.network.cidr === undefined,
    datastores: named.length === 2 ? named : [],
    imageContent: talos.boot === 'iso' || talos.iso !== undefined ? 'iso' : 'import',
    media: [
      ...(talos.iso === undefined ? [] : [{ storage: storageOf(talos.iso) }]),
      ...settings.guests.flatMap(({ name, vmid, iso, create }) =>
        iso === undefined || !create ? [] : [{ storage: storageOf(iso), guest: guestToMake(guests, name, vmid) }],
      ),
    ],
    namesGuests: guests.some(({ create, vmid }) => create && vmid === undefined),
    isCloned: talos.boot === 'template',
    hasDevices: [...machines, ...guests].some(({ devices }) => devices.length > 0),
    wantsBackups: settings.backup.machines !== undefined,
    wantsHa: settings.placement.ha !== undefined,
    setsVmRules: settings.firewall.enabled && settings.firewall.proxmox,
    setsHostRules: settings.firewall.enabled && settings.firewall.hosts,
    setsStartup: settings.vm.startup !== undefined,
    triesRules: settings.firewall.enabled && settings.firewall.talos,
    wantsSecureBoot: talos.secure_boot,
  }
}

function storageOf(volid: string): string {
  return volid.split(':')[0] ?? ''
}

function guestToMake(guests: Inventory['guests'], name: string, vmid: number | undefined): GuestToMake {
  const host = guests.find((guest) => guest.name === name)?.host ?? ''
  return { name, host, ...(vmid === undefined ? {} : { vmid }) }
}

const machineByName = lookupBy(({ name }: Machine) => name)

/** The wanted machine of that name. */
export function askedMachine(
  { machines }: Pick<ObserveScope, 'machines'>,
  name: string | undefined,
): Machine | undefined {
  return name === undefined ? undefined : machineByName(machines, name)
}

/** The VMID that each machine gets if it is free. */
export function intendedVmids({ machines, settings: { vm_ids, worker_pools } }: Inventory): number[] {
  const ranges = new Map(worker_pools.map((pool) => [pool.name, pool.vm_ids]))
  return machines.map(({ vmid, role, pool, index }) => {
    if (vmid !== undefined) return vmid
    return (role === 'controlplane' ? vm_ids.control_plane : (ranges.get(pool) ?? vm_ids.worker)).from + index
  })
}
