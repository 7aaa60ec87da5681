import type { StorageResource, Volume } from '../proxmox/port.js'
import type { World } from '../world.js'
import { isAsked } from './ask-proxmox.js'
import type { ObservedMachine, ObservedProxmox } from './observed.js'
import type { Question } from './question.js'

/**
 * What lies on the storages that could hold images and seeds. Where every machine is made, only the hosts of machines
 * are looked at, and only for seeds that a kill may have left.
 */
export async function askVolumes(
  question: Question,
  { hosts, storages }: Omit<ObservedProxmox, 'volumes'>,
  machines: readonly ObservedMachine[],
  { proxmox }: World,
  signal: AbortSignal,
): Promise<ObservedProxmox['volumes']> {
  const made = new Set(machines.filter(({ mark }) => mark.stage === 'made').map(({ name }) => name))
  const isComplete = question.machines.every(({ name }) => made.has(name))
  const homes = new Set(machines.map(({ host }) => host))
  const asked = hosts.filter(
    ({ name, online }) => online && isAsked(name, question) && (!isComplete || homes.has(name)),
  )
  const kinds = isComplete ? (['iso'] as const) : (['iso', 'import'] as const)
  const shelves = shelvesOf(storages, question, new Set(asked.map(({ name }) => name)), kinds)
  const found = await Promise.all(
    shelves.map(async ({ host, storage, content }) => {
      const volumes = await proxmox.storage.content(host, storage, content, signal)
      return volumes.map((volume): Volume & { host: string } => ({ ...volume, host }))
    }),
  )
  return found.flat()
}

type Shelf = { host: string; storage: string; content: 'iso' | 'import' }

/** A shared storage is looked at through one host. */
function shelvesOf(
  storages: readonly StorageResource[],
  { datastores }: Question,
  hosts: ReadonlySet<string>,
  kinds: readonly Shelf['content'][],
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
    return kinds.filter((kind) => content.includes(kind)).map((kind) => ({ host, storage, content: kind }))
  })
}
