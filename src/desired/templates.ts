import { createHash } from 'node:crypto'
import { canonicalJson } from '../cluster/canonical.js'
import { deriveIdentity } from '../cluster/identity.js'
import { lookupBy } from '../cluster/lookup.js'
import type { Machine, Role } from '../cluster/machine.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Settings } from '../inventory/schema.js'
import type { Observed, ObservedTemplate } from '../observe/observed.js'
import { createVmidQueue, freeVmids } from '../placement/allocate.js'
import type { Datastores } from './datastores.js'
import type { DesiredImage, DesiredTemplate } from './desired.js'
import { imageFor } from './images.js'
import { drivesOf, seedOf } from './seed.js'
import { diskFlags, vmOptions } from './vm-options.js'

/** Templates that machines are cloned from: one per role and version, on each host if the storage is local. */
export interface Templates {
  /** The template of a machine on that host. */
  of(machine: Machine, host: string): DesiredTemplate
  all(): DesiredTemplate[]
  images(): DesiredImage[]
}

export function templatesFor(inventory: Inventory, observed: Observed, datastores: Datastores): Templates {
  /** By purpose: two of them have the same base name if their disks differ. */
  const found = new Map<string, DesiredTemplate>()
  const names = new Set(observed.templates.map(({ name }) => name))
  const images = new Map<string, DesiredImage>()
  const { guests, hidden = [] } = observed.proxmox
  const taken = new Set([...guests, ...hidden].map(({ vmid }) => vmid))

  const ranges = inventory.settings.vm_ids.template
  const firstIds = freeVmids(ranges, 2, [])
  // Two queues, one starting after the first two VMIDs: a VMID taken from one is taken in the other.
  const all = createVmidQueue(ranges, taken)
  const others = createVmidQueue(ranges, [...taken, ...firstIds])
  const firstHost = firstHostOf(inventory, observed)

  /**
   * The first two VMIDs belong to the templates of the first host, one per role; those of other hosts come after them.
   */
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
      const base = nameOf(inventory, machine.role, image, host, datastore.isShared)
      const drives = drivesOf(seedOf(host, inventory.settings, datastores), inventory.settings)
      const shape = { ...shapeOf(machine, datastore.name, inventory.settings), image: image.filename, drives }
      const spec = specOf(shape)
      const known = found.get(`${base} ${spec}`)
      if (known !== undefined) return known
      images.set(image.key, image)
      const own = new Set([base, beside(base, spec)])
      const seen = observed.templates.find(({ name, mark }) => own.has(name) && mark.spec === spec)
      const name = seen?.name ?? freeName(base, spec, names)
      names.add(name)
      const template = {
        ...describe(name, machine, shape, inventory),
        image: image.key,
        spec,
        drives,
        host: seen?.host ?? host,
        vmid: vmidFor(name, machine.role, seen?.host ?? host),
      }
      found.set(`${base} ${spec}`, template)
      return template
    },
    all: () => [...found.values()],
    images: () => [...images.values()],
  }
}

const templateByName = lookupBy(({ name }: ObservedTemplate) => name)

/** On a shared storage one template serves all hosts, and is on the first. */
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

/** An outdated template is never used: a new one is created next to it, with its own name. */
function freeName(base: string, spec: string, taken: ReadonlySet<string>): string {
  return taken.has(base) ? beside(base, spec) : base
}

function beside(base: string, spec: string): string {
  return `${base}-${spec.slice(0, 6)}`
}

/** What a clone inherits from its template; everything else is set when it becomes a machine. */
function shapeOf(machine: Machine, datastore: string, { sizing, vm }: Settings) {
  const usual = machine.role === 'controlplane' ? sizing.control_plane.disk : sizing.worker.disk
  return {
    // Disks grow and never shrink.
    disk: { slot: 'scsi0', datastore, size: Math.min(usual, machine.disk), flags: diskFlags(vm) },
    hasEfi: vm.bios === 'ovmf',
    hasTpm: vm.tpm,
    bios: vm.bios,
    machine: vm.machine,
    scsihw: vm.scsihw,
  }
}

function specOf(shape: object): string {
  return createHash('sha256').update(canonicalJson(shape)).digest('hex').slice(0, 12)
}

function describe(
  name: string,
  machine: Machine,
  { disk, hasEfi, hasTpm }: ReturnType<typeof shapeOf>,
  { settings }: Inventory,
) {
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
  return { name, role: machine.role, identity, options, disk, hasEfi, hasTpm }
}
