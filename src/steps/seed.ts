import type { DesiredMachine } from '../desired/desired.js'
import type { World } from '../world.js'
import type { StepContext } from './step.js'

/** Seeds are named by cluster id, node and content hash: what starts like this is ours, and only of this node. */
export function seedPrefix(clusterId: string, node: string): string {
  return `ichor-${clusterId}-${node}-`
}

export function isSeedOf(volid: string, clusterId: string, node: string): boolean {
  const file = volid.split('/').at(-1) ?? ''
  const rest = file.startsWith(seedPrefix(clusterId, node)) ? file.slice(seedPrefix(clusterId, node).length) : undefined
  return rest !== undefined && /^[0-9a-f]+\.iso$/.test(rest)
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

/** Every seed of that node on that host's seed storage: they hold the CA keys, so none may stay. */
export async function removeSeeds(
  host: string,
  datastore: string,
  node: string,
  world: World,
  context: StepContext,
): Promise<void> {
  for (const volid of await findSeeds(host, datastore, node, world, context)) {
    context.assertLease()
    const task = await world.proxmox.storage.removeVolume(host, volid, context.signal)
    if (task !== undefined) await world.proxmox.tasks.wait(task, context.signal)
  }
}

export async function findSeeds(
  host: string,
  datastore: string,
  node: string,
  world: World,
  { desired, signal }: StepContext,
): Promise<string[]> {
  const volumes = await world.proxmox.storage.content(host, datastore, 'iso', signal)
  return volumes.map(({ volid }) => volid).filter((volid) => isSeedOf(volid, desired.cluster.id ?? '', node))
}
