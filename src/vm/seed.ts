import { randomBytes } from 'node:crypto'
import { oncePer } from '../cluster/lookup.js'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import type { StorageContent } from '../observe/observed.js'
import type { StorageResource, Volume } from '../proxmox/client/port.js'
import { parseDisk } from '../proxmox/model/options/disk.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { Model } from '../work/model.js'
import { isOurFirstWork, machineOf } from '../work/wanted-machine.js'
import type { WorkContext } from '../work/work-context.js'
import { getOwned, type OwnedVm } from './owned-vm.js'
import { withoutVolumes } from './storage-contents.js'

/** Identifies the seed disk of a machine by its serial, in any slot. */
export const seedSerial = 'ichor-seed'

export function isSeedDisk(option: string): boolean {
  return parseDisk(option).serial === seedSerial
}

/** The slots of a VM that hold one of our seeds as a disk. */
export function seedSlots(options: Readonly<Record<string, string>>): string[] {
  return Object.entries(options)
    .filter(([, option]) => isSeedDisk(option))
    .map(([slot]) => slot)
}

/** Uploads are named by cluster ID and node, with an unguessable random suffix: names with this prefix are ours. */
function seedPrefix(clusterId: string, node: string): string {
  return `ichor-${clusterId}-${node}-`
}

/** The node that an upload of this cluster was made for; `undefined` for other files. */
export function nodeOfSeed(volid: string, clusterId: string): string | undefined {
  const file = volid.split('/').at(-1) ?? ''
  return file.startsWith(`ichor-${clusterId}-`)
    ? /^(.+)-[0-9a-f]{12}\.(?:iso|raw)$/.exec(file.slice(`ichor-${clusterId}-`.length))?.[1]
    : undefined
}

/** Uploads the machine's config and returns the volume ID: an ISO, or an image that becomes a disk of the VM. */
export async function uploadSeed(host: string, wanted: DesiredMachine, context: WorkContext): Promise<string> {
  const { talos, seed, machine } = wanted
  if (talos === undefined) throw new Error(`no config for ${machine.name}: the secrets are missing`)
  const [content, extension] = seed.kind === 'disk' ? (['import', 'raw'] as const) : (['iso', 'iso'] as const)
  const prefix = seedPrefix(context.desired.cluster.id ?? '', machine.name)
  const name = `${prefix}${randomBytes(6).toString('hex')}.${extension}`
  context.assertLease()
  const task = await context.proxmox.images.upload(host, seed.storage, content, name, talos.seedIso(), context.signal)
  await context.proxmox.tasks.wait(task, context.signal)
  return `${seed.storage}:${content}/${name}`
}

type SeedLocation = Pick<StorageContent, 'host' | 'storage' | 'content'>

/** Before the upload of this run. Storages that held no seed when the round was planned are not read again. */
export async function removeEarlierSeeds(node: string, context: WorkContext): Promise<void> {
  const isKnown = isOurFirstWork(node, context)
  await removeSeeds(node, context, (location) => !isKnown || lookedFor(node, location, context) !== 'none')
}

/** Before its VM is deleted. A made machine has no seed, unless one was observed when the round was planned. */
export async function removeLastSeeds({ mark }: OwnedVm, context: WorkContext): Promise<void> {
  const isMade = mark.stage === 'made'
  await removeSeeds(mark.node, context, (location) => {
    const found = lookedFor(mark.node, location, context)
    return found === 'some' || (found === undefined && !isMade)
  })
}

/** What was observed of that node's seeds when the round was planned; `undefined` if the storages were not read. */
function lookedFor(
  node: string,
  location: SeedLocation,
  { desired, observed }: WorkContext,
): 'some' | 'none' | undefined {
  const there = observed.proxmox.contents.find((asked) => sameLocation(asked, location))?.volumes
  if (there?.seen !== true) return undefined
  return there.value.some(({ volid }) => nodeOfSeed(volid, desired.cluster.id ?? '') === node) ? 'some' : 'none'
}

/** After the machine has read its seed: if this round created it, its upload is only where this round put it. */
export async function removeOwnSeeds(node: string, context: WorkContext): Promise<void> {
  if (!isOurFirstWork(node, context)) return removeSeeds(node, context)
  const { seed, host } = machineOf(context.desired, node)
  const content = seed.kind === 'disk' ? 'import' : 'iso'
  const hosts = [host, (await getOwned(node, context)).host]
  await removeSeeds(
    node,
    context,
    (one) => one.storage === seed.storage && one.content === content && (one.isShared || hosts.includes(one.host)),
  )
}

function sameLocation(one: SeedLocation, other: SeedLocation): boolean {
  return one.host === other.host && one.storage === other.storage && one.content === other.content
}

/** Every upload of that node, on any storage: they hold the CA keys, so none may stay. */
async function removeSeeds(
  node: string,
  context: WorkContext,
  isAsked: (location: SeedLocation & { readonly isShared: boolean }) => boolean = () => true,
): Promise<void> {
  const clusterId = context.desired.cluster.id ?? ''
  for (const { host, storage, content } of seedLocations(context).filter(isAsked)) {
    const volumes = await context.proxmox.storage.content(host, storage, content, context.signal).catch(ifHostIsDown)
    for (const { volid } of volumes)
      if (nodeOfSeed(volid, clusterId) === node) await removeSeedVolume(host, volid, context)
  }
}

export async function removeSeedVolume(host: string, volid: string, context: WorkContext): Promise<void> {
  const task = await startSeedRemoval(host, volid, context)
  if (task !== undefined) await context.proxmox.tasks.wait(task, context.signal)
}

/** Does not wait for the end of the task: `removeOwnSeeds` verifies it once the machine runs. */
export async function startSeedRemoval(host: string, volid: string, context: WorkContext) {
  context.assertLease()
  return context.proxmox.storage.removeVolume(host, volid, context.signal)
}

/** Seeds on a host that is down are looked for when it is back. */
function ifHostIsDown(thrown: unknown): [] {
  if (isProxmoxError(thrown, 'host-down')) return []
  throw thrown
}

/** The storages where this inventory, or an older one, may have put a seed; shared ones through one host. */
function seedLocations({ observed: { proxmox } }: WorkContext) {
  const online = new Set(proxmox.hosts.filter(({ online: isOnline }) => isOnline).map(({ name }) => name))
  const locations = new Map<string, SeedLocation & { readonly isShared: boolean }>()
  for (const one of proxmox.storages.filter(({ host, available }) => available && online.has(host)))
    for (const content of seedContents(one))
      locations.set(`${one.shared ? '' : one.host}/${one.storage}/${content}`, {
        host: one.host,
        storage: one.storage,
        content,
        isShared: one.shared,
      })
  return [...locations.values()]
}

function seedContents({ content }: StorageResource): ('iso' | 'import')[] {
  return (['iso', 'import'] as const).filter((kind) => content.includes(kind))
}

/** Every text that may be a node name in the name of an upload, of any cluster. */
const mentioned = oncePer(
  (volumes: readonly Volume[]) =>
    new Set(volumes.flatMap(({ volid }) => /ichor-[^-/]+-(.+)-[0-9a-f]{12}\.(?:iso|raw)$/.exec(volid)?.[1] ?? [])),
)

/** The state when no storage has an upload of that node. */
export function forgetSeeds(model: Model, node: string, desired: Desired): void {
  const clusterId = desired.cluster.id ?? ''
  const isIts = ({ volid }: Volume) => nodeOfSeed(volid, clusterId) === node
  const mayHoldIt = ({ volumes }: StorageContent) => volumes.seen && mentioned(volumes.value).has(node)
  if (!model.around.proxmox.contents.some(mayHoldIt)) return
  model.change(({ proxmox }) => ({
    proxmox: {
      ...proxmox,
      contents: proxmox.contents.map((one) => (mayHoldIt(one) ? withoutVolumes(one, isIts) : one)),
    },
  }))
}
