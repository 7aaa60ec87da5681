import { createHash } from 'node:crypto'
import { deriveIdentity } from '../cluster/identity.js'
import { lookupBy } from '../cluster/lookup.js'
import type { Machine, Role } from '../cluster/machine.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed, ObservedTemplate } from '../observe/observed.js'
import { createVmidQueue, freeVmids } from '../placement/allocate.js'
import type { Datastores } from './datastores.js'
import type { DesiredImage, DesiredTemplate } from './desired.js'
import { imageFor } from './images.js'
import { drivesOf, seedOf } from './seed.js'
import { diskFlags, vmOptions } from './vm-options.js'

/** Templates that machines are cloned from: one a role and version, on each host where the storage is local. */
export interface Templates {
  /** The template of a machine on that host. */
  of(machine: Machine, host: string): DesiredTemplate
  all(): DesiredTemplate[]
  images(): DesiredImage[]
}

export function templatesFor(inventory: Inventory, observed: Observed, datastores: Datastores): Templates {
  const found = new Map<string, DesiredTemplate>()
  const images = new Map<string, DesiredImage>()
  const { guests, hidden = [] } = observed.proxmox
  const taken = new Set([...guests, ...hidden].map(({ vmid }) => vmid))

  const ranges = inventory.settings.vm_ids.template
  const firstIds = freeVmids(ranges, 2, [])
  // Two queues, one behind the first two: what one hands out is taken in the other.
  const all = createVmidQueue(ranges, taken)
  const others = createVmidQueue(ranges, [...taken, ...firstIds])
  const firstHost = firstHostOf(inventory, observed)

  /** The first two VMIDs belong to the templates of the first host, one a role; those of other hosts come after them. */
  const vmidFor = (name: string, role: Role, host: string): number => {
    const existing = templateByName(observed.templates, name)
    if (existing !== undefined) return existing.vmid
    const usual = host === firstHost ? firstIds[role === 'controlplane' ? 0 : 1] : undefined
    if (usual !== undefined && all.take(usual)) return usual
    const vmid = others.next()
    if (vmid === undefined) return all.next() ?? 0
    all.take(vmid)
    return vmid
  }

  return {
    of: (machine, machineHost) => {
      const { host, datastore } = homeOf(machineHost, firstHost, inventory, datastores)
      const image = imageFor(machine, host, inventory, datastores)
      const name = nameOf(inventory, machine.role, image, host, datastore.isShared)
      const known = found.get(name)
      if (known !== undefined) return known
      images.set(image.key, image)
      const seen = templateByName(observed.templates, name)
      const template = {
        ...describe(name, machine, datastore.name, image, inventory),
        drives: drivesOf(seedOf(host, inventory.settings, datastores), inventory.settings),
        host: seen?.host ?? host,
        vmid: vmidFor(name, machine.role, seen?.host ?? host),
      }
      found.set(name, template)
      return template
    },
    all: () => [...found.values()],
    images: () => [...images.values()],
  }
}

const templateByName = lookupBy(({ name }: ObservedTemplate) => name)

/** On a shared storage one template serves every host, and lives on the first. */
function homeOf(machineHost: string, first: string | undefined, inventory: Inventory, datastores: Datastores) {
  const { template_datastore, datastore } = inventory.settings.proxmox
  const name = datastores.on(machineHost, 'images', template_datastore ?? datastore)
  const isShared = datastores.isShared(name)
  return { host: isShared ? (first ?? machineHost) : machineHost, datastore: { name, isShared } }
}

function firstHostOf({ settings }: Inventory, { proxmox }: Observed): string | undefined {
  const online = new Set(proxmox.hosts.filter(({ online: isOnline }) => isOnline).map((host) => host.name))
  return [...settings.proxmox.target_nodes, ...online].find((host) => online.has(host))
}

function nameOf(
  { settings }: Inventory,
  role: Role,
  { schematicId }: DesiredImage,
  host: string,
  isShared: boolean,
): string {
  const version = settings.talos_version.replace(/[^0-9A-Za-z]+/g, '-')
  const parts = [settings.cluster_name, role === 'controlplane' ? 'cp' : 'worker', version, schematicId.slice(0, 6)]
  return [...parts, ...(isShared ? [] : [host])].join('-').toLowerCase()
}

function describe(name: string, machine: Machine, datastore: string, image: DesiredImage, { settings }: Inventory) {
  const sizing = machine.role === 'controlplane' ? settings.sizing.control_plane : settings.sizing.worker
  const identity = deriveIdentity(settings.cluster_name, name)
  const [first] = machine.nics
  const shaped = {
    ...machine,
    name,
    identity,
    cpu: sizing.cpu,
    memory: sizing.ram,
    nics: [{ ...first, mac: identity.mac }] as const,
    devices: [],
  }
  const options = { ...vmOptions(shaped, settings), onboot: false }
  const disk = { slot: 'scsi0', datastore, size: sizing.disk, flags: diskFlags(settings.vm) }
  const spec = createHash('sha256')
    .update(JSON.stringify([options, disk]))
    .digest('hex')
    .slice(0, 12)
  return {
    name,
    role: machine.role,
    identity,
    image: image.key,
    options,
    disk,
    hasEfi: settings.vm.bios === 'ovmf',
    hasTpm: settings.vm.tpm,
    spec,
  }
}
