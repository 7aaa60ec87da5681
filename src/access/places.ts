import { canHoldFiles, preferredFirst } from '../proxmox/model/preferred-storage.js'
import type { AccessFacts, AccessInventory } from './access-inventory.js'

/** The ACL paths that an inventory uses, by purpose. */
export interface Places {
  /** Of the cluster and of its drills. */
  readonly pool: readonly string[]
  readonly ownPool: readonly string[]
  readonly drillPool: readonly string[]
  readonly disks: readonly string[]
  readonly images: readonly string[]
  readonly seeds: readonly string[]
  readonly bridges: readonly string[]
  readonly hosts: readonly string[]
  readonly devices: readonly string[]
  /** Created guests, by VMID. */
  readonly guests: readonly string[]
  /** Where guests with an unknown VMID are created. */
  readonly anyVm: readonly string[]
  readonly guestMedia: readonly string[]
  readonly cpuModels: readonly string[]
  readonly datacenter: readonly string[]
}

export function placesOf(inventory: AccessInventory, facts: AccessFacts): Places {
  const { settings, machines } = inventory
  const { proxmox, talos, vm, drill = {} } = settings
  const storages = (named: readonly (string | undefined)[], content: string) =>
    storagePaths(named, content, inventory, facts)
  const guests = settings.guests.filter(({ create }) => create)
  const extraDisks = [...machines, ...guests].flatMap(({ disks }) => disks.flatMap(({ datastore }) => datastore ?? []))
  const guestDisks = guests.flatMap(({ datastore }) => datastore ?? [])
  const guestBridges = guests.map(({ bridge }) => bridge ?? proxmox.bridge)
  const bridges = [
    ...machines.flatMap(({ nics }) => nics.map(({ bridge }) => bridge)),
    ...guestBridges,
    ...(drill.bridge === undefined ? [] : [drill.bridge]),
  ]
  const cpuTypes = [vm.cpu_type, ...guests.flatMap(({ cpu_type }) => cpu_type ?? [])]
  const templates = proxmox.template_datastore === undefined ? [] : [proxmox.template_datastore]
  return {
    pool: poolsOf(settings).map(poolPath),
    ownPool: [poolPath(proxmox.pool)],
    drillPool: poolsOf(settings).slice(1).map(poolPath),
    disks: unique([
      ...storages([proxmox.datastore], 'images'),
      ...[...templates, ...extraDisks, ...guestDisks, ...(drill.datastore === undefined ? [] : [drill.datastore])].map(
        storagePath,
      ),
    ]),
    images: storages([proxmox.image_datastore], talos.boot === 'iso' ? 'iso' : 'import'),
    seeds: talos.delivery === 'cidata' ? seedPaths(inventory, facts) : [],
    bridges: unique(bridges.map((bridge) => `/sdn/zones/localnetwork/${bridge}`)),
    hosts: proxmox.target_nodes.length === 0 ? ['/nodes'] : proxmox.target_nodes.map((host) => `/nodes/${host}`),
    devices: unique(
      [...machines, ...guests].flatMap(({ devices }) => devices.map(({ mapping }) => `/mapping/pci/${mapping}`)),
    ),
    guests: guests.flatMap(({ vmid }) => (vmid === undefined ? [] : [`/vms/${vmid}`])),
    anyVm: guests.some(({ vmid }) => vmid === undefined) ? ['/vms'] : [],
    guestMedia: unique(guests.flatMap(({ iso }) => (iso === undefined ? [] : [storagePath(iso.split(':')[0] ?? '')]))),
    cpuModels: unique(
      cpuTypes.flatMap((type) => (type.startsWith('custom-') ? [`/mapping/cpu/${type.slice('custom-'.length)}`] : [])),
    ),
    datacenter: ['/'],
  }
}

/** The pool of the cluster, and that of its drills. */
export function poolsOf({ proxmox, drill = {} }: AccessInventory['settings']): string[] {
  return [proxmox.pool, ...(drill.bridge === undefined ? [] : [`${proxmox.pool}-drill`])]
}

function poolPath(pool: string): string {
  return `/pool/${pool}`
}

function storagePath(storage: string): string {
  return `/storage/${storage}`
}

/** The named ones; otherwise, on each host, the one that `up` chooses; otherwise any storage. */
function storagePaths(
  named: readonly (string | undefined)[],
  content: string,
  { settings }: AccessInventory,
  { storages }: AccessFacts,
): string[] {
  const given = named.filter((name) => name !== undefined)
  if (given.length > 0) return given.map(storagePath)
  const { target_nodes: hosts } = settings.proxmox
  const here = storages.filter(({ host }) => hosts.length === 0 || hosts.includes(host))
  const chosen = unique(here.map(({ host }) => host)).flatMap(
    (name) =>
      chosenStorage(
        here.filter(({ host }) => host === name),
        content,
      ) ?? [],
  )
  return chosen.length === 0 ? ['/storage'] : unique(chosen).map(storagePath)
}

/** The first that allows the content; if none does, the one that will be changed. */
function chosenStorage(there: AccessFacts['storages'], content: string): string | undefined {
  const preferred = preferredFirst(there, content)
  const usable = preferred.find((storage) => storage.content.includes(content))
  return (usable ?? preferred.find(({ type }) => content !== 'images' && canHoldFiles(type)))?.storage
}

/** Machines boot from an ISO, or some host has no storage that can import config media as a disk. */
export function usesDrives({ settings }: AccessInventory, { storages }: AccessFacts): boolean {
  const { talos, proxmox } = settings
  if (talos.boot === 'iso' || talos.delivery !== 'cidata') return talos.boot === 'iso'
  const usable = storages.filter(({ storage }) => (proxmox.seed_datastore ?? storage) === storage)
  const importing = new Set(usable.filter(({ content }) => content.includes('import')).map(({ host }) => host))
  const hosts = proxmox.target_nodes.length > 0 ? proxmox.target_nodes : unique(storages.map(({ host }) => host))
  return hosts.some((host) => !importing.has(host))
}

/** As `up` chooses: on each host a storage for images to import, otherwise one for ISOs. */
function seedPaths(inventory: AccessInventory, facts: AccessFacts): string[] {
  const { seed_datastore, target_nodes } = inventory.settings.proxmox
  if (seed_datastore !== undefined) return [storagePath(seed_datastore)]
  const importing = new Set(facts.storages.filter(({ content }) => content.includes('import')).map(({ host }) => host))
  const hosts = target_nodes.length > 0 ? target_nodes : unique(facts.storages.map(({ host }) => host))
  const on = (content: string, chosen: readonly string[]) => {
    if (chosen.length === 0) return []
    const storages = facts.storages.filter(({ host }) => chosen.includes(host))
    return storagePaths([], content, inventory, { ...facts, storages })
  }
  return unique([
    ...on(
      'import',
      hosts.filter((host) => importing.has(host)),
    ),
    ...on(
      'iso',
      hosts.filter((host) => !importing.has(host)),
    ),
  ])
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}
