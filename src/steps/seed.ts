import type { Desired, DesiredMachine } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import type { World } from '../world.js'
import type { StepContext } from './step.js'

/** Seeds are named by cluster id, node and content hash: what starts like this is ours, and only of this node. */
export function seedPrefix(clusterId: string, node: string): string {
  return `ichor-${clusterId}-${node}-`
}

/** The node that a seed of this cluster was made for; `undefined` for every other file. */
export function nodeOfSeed(volid: string, clusterId: string): string | undefined {
  const file = volid.split('/').at(-1) ?? ''
  return file.startsWith(`ichor-${clusterId}-`)
    ? /^(.+)-[0-9a-f]{12}\.iso$/.exec(file.slice(`ichor-${clusterId}-`.length))?.[1]
    : undefined
}

/** Puts the machine's config on its host as an ISO and gives its volume id. */
export async function uploadSeed(
  host: string,
  wanted: DesiredMachine,
  world: World,
  context: StepContext,
): Promise<string> {
  const { talos, seedDatastore } = wanted
  if (talos === undefined) throw new Error(`no config for ${wanted.machine.name}: the secrets are missing`)
  context.assertLease()
  const task = await world.proxmox.images.upload(
    host,
    seedDatastore,
    'iso',
    talos.seedName,
    talos.seedIso(),
    context.signal,
  )
  await world.proxmox.tasks.wait(task, context.signal)
  return `${seedDatastore}:iso/${talos.seedName}`
}

/** Every seed of that node which its host can see: they hold the CA keys, so none may stay. */
export async function removeSeeds(host: string, node: string, world: World, context: StepContext): Promise<void> {
  for (const volid of await findSeeds(host, node, world, context)) await removeSeedVolume(host, volid, world, context)
}

export async function removeSeedVolume(host: string, volid: string, world: World, context: StepContext): Promise<void> {
  context.assertLease()
  const task = await world.proxmox.storage.removeVolume(host, volid, context.signal)
  if (task !== undefined) await world.proxmox.tasks.wait(task, context.signal)
}

async function findSeeds(host: string, node: string, world: World, context: StepContext): Promise<string[]> {
  const { proxmox } = world
  const found = await Promise.all(
    locationsOf(host, node, context).map((storage) => proxmox.storage.content(host, storage, 'iso', context.signal)),
  )
  const clusterId = context.desired.cluster.id ?? ''
  return found
    .flat()
    .map(({ volid }) => volid)
    .filter((volid) => nodeOfSeed(volid, clusterId) === node)
}

/** Where seeds are put now, and every other storage where an older spec may have put one. */
function locationsOf(host: string, node: string, { desired, observed }: StepContext): string[] {
  const now = desired.machines.find(({ machine }) => machine.name === node)?.seedDatastore
  const able = observed.proxmox.storages.filter(
    (storage) => storage.host === host && storage.available && storage.content.includes('iso'),
  )
  return [...new Set([...(now === undefined ? [] : [now]), ...able.map(({ storage }) => storage)])]
}

/** What is seen when no seed of that node lies anywhere any more. */
export function withoutSeeds(observed: Observed, node: string, desired: Desired): Observed {
  const clusterId = desired.cluster.id ?? ''
  const volumes = observed.proxmox.volumes.filter(({ volid }) => nodeOfSeed(volid, clusterId) !== node)
  return { ...observed, proxmox: { ...observed.proxmox, volumes } }
}
