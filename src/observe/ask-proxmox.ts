import { ownPoolComment } from '../ownership/index.js'
import type { StorageResource, Volume } from '../proxmox/port.js'
import type { World } from '../world.js'
import type { ObservedProxmox } from './observed.js'
import type { Question } from './question.js'

/** Hosts, guests and storages in one call; then what lies on the storages that could hold images and seeds. */
export async function askProxmox(
  question: Question,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<ObservedProxmox> {
  const [version, resources, pool, pciMappings] = await Promise.all([
    proxmox.cluster.version(signal),
    proxmox.cluster.resources(signal),
    proxmox.pools.find(question.pool, signal),
    question.hasDevices ? proxmox.cluster.pciMappings(signal) : [],
  ])
  const online = resources.hosts.filter(({ name, online: isOnline }) => isOnline && isAsked(name, question))
  const shelves = shelvesOf(resources.storages, question, new Set(online.map(({ name }) => name)))
  const volumes = await Promise.all(
    shelves.map(async ({ host, storage, content }) => {
      const found = await proxmox.storage.content(host, storage, content, signal)
      return found.map((volume): Volume & { host: string } => ({ ...volume, host }))
    }),
  )
  const bridges = question.needsBridge
    ? await Promise.all(
        online.map(async ({ name }) =>
          (await proxmox.hosts.bridges(name, signal)).map((bridge) => ({ ...bridge, host: name })),
        ),
      )
    : []
  return {
    version,
    hosts: resources.hosts,
    guests: resources.guests,
    storages: resources.storages,
    pciMappings,
    volumes: volumes.flat(),
    poolExists: pool !== undefined && pool.comment === ownPoolComment,
    bridges: bridges.flat(),
  }
}

function isAsked(host: string, { hosts }: Question): boolean {
  return hosts.length === 0 || hosts.includes(host)
}

type Shelf = { host: string; storage: string; content: 'iso' | 'import' }

/** A shared storage is looked at through one host. */
function shelvesOf(
  storages: readonly StorageResource[],
  { datastores }: Question,
  hosts: ReadonlySet<string>,
): Shelf[] {
  const seen = new Set<string>()
  const wanted = storages.filter(
    ({ host, storage, available }) =>
      available && hosts.has(host) && (datastores.length === 0 || datastores.includes(storage)),
  )
  return wanted.flatMap(({ host, storage, shared, content }) => {
    const key = shared ? storage : `${host}/${storage}`
    if (seen.has(key)) return []
    seen.add(key)
    return (['iso', 'import'] as const)
      .filter((kind) => content.includes(kind))
      .map((kind) => ({ host, storage, content: kind }))
  })
}
