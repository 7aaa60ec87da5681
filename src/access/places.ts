import type { AccessFacts, AccessInventory } from './access-inventory.js'

/** The ACL paths that an inventory touches, by what is done there. */
export interface Places {
  readonly pool: readonly string[]
  readonly disks: readonly string[]
  readonly images: readonly string[]
  readonly seeds: readonly string[]
  readonly backups: readonly string[]
  readonly bridges: readonly string[]
  readonly hosts: readonly string[]
  readonly devices: readonly string[]
  readonly cpuModels: readonly string[]
  readonly datacentre: readonly string[]
}

export function placesOf(inventory: AccessInventory, facts: AccessFacts): Places {
  const { settings, machines } = inventory
  const { proxmox, talos, vm, backup } = settings
  const storages = (named: readonly (string | undefined)[], content: string) =>
    storagePaths(named, content, inventory, facts)
  const extraDisks = machines.flatMap(({ disks }) => disks.flatMap(({ datastore }) => datastore ?? []))
  const templates = proxmox.template_datastore === undefined ? [] : [proxmox.template_datastore]
  return {
    pool: [`/pool/${proxmox.pool}`],
    disks: unique([...storages([proxmox.datastore], 'images'), ...[...templates, ...extraDisks].map(storagePath)]),
    images: storages([proxmox.image_datastore], talos.boot === 'iso' ? 'iso' : 'import'),
    seeds: talos.delivery === 'cidata' ? storages([proxmox.seed_datastore], 'iso') : [],
    backups: backup.machines === undefined ? [] : [storagePath(backup.machines.datastore)],
    bridges: unique(machines.flatMap(({ nics }) => nics.map(({ bridge }) => `/sdn/zones/localnetwork/${bridge}`))),
    hosts: proxmox.target_nodes.length === 0 ? ['/nodes'] : proxmox.target_nodes.map((host) => `/nodes/${host}`),
    devices: unique(machines.flatMap(({ devices }) => devices.map(({ mapping }) => `/mapping/pci/${mapping}`))),
    cpuModels: vm.cpu_type.startsWith('custom-') ? [`/mapping/cpu/${vm.cpu_type.slice('custom-'.length)}`] : [],
    datacentre: ['/'],
  }
}

function storagePath(storage: string): string {
  return `/storage/${storage}`
}

/** The named ones; else, on each host, the first that allows the content, as `up` chooses; else any storage. */
function storagePaths(
  named: readonly (string | undefined)[],
  content: string,
  { settings }: AccessInventory,
  { storages }: AccessFacts,
): string[] {
  const given = named.filter((name) => name !== undefined)
  if (given.length > 0) return given.map(storagePath)
  const hosts = settings.proxmox.target_nodes
  const usable = storages.filter(
    (storage) => storage.content.includes(content) && (hosts.length === 0 || hosts.includes(storage.host)),
  )
  const firsts = unique(usable.map(({ host }) => host)).map(
    (host) =>
      usable
        .filter((storage) => storage.host === host)
        .map(({ storage }) => storage)
        .sort()[0] ?? '',
  )
  return firsts.length === 0 ? ['/storage'] : unique(firsts).map(storagePath)
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}
