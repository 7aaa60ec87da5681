import type { Machine } from '../cluster/machine.js'
import { seen, unseen } from '../cluster/seen.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { World } from '../world.js'
import { isAsked } from './ask-proxmox.js'
import type { ObserveScope } from './observe-scope.js'
import type { ObservedMachine, ObservedProxmox } from './observed.js'

type Content = 'iso' | 'import'
type StorageLocation = { readonly host: string; readonly storage: string; readonly content: Content }
type Places = Pick<ObservedProxmox, 'hosts' | 'storages' | 'intent'>
type Wants = (host: string, content: Content) => boolean

/** The contents of these storages. Storages that cannot be read are reported as such. */
export async function askVolumes(
  locations: readonly StorageLocation[],
  { proxmox }: World,
  signal: AbortSignal,
): Promise<ObservedProxmox['contents']> {
  const different = new Map(locations.map((one) => [`${one.host}/${one.storage}/${one.content}`, one]))
  return Promise.all(
    [...different.values()].map(async (location) => {
      const { host, storage, content } = location
      const volumes = await proxmox.storage.content(host, storage, content, signal).then(seen, (thrown: unknown) => {
        if (isProxmoxError(thrown, 'host-down')) return unseen(`${host} does not answer`)
        throw thrown
      })
      return { ...location, volumes }
    }),
  )
}

/** Up to this many storages are always read. With more, a plan only states that an image may exist already. */
const fewLocations = 5

/**
 * Storages whose contents matter; none if all machines are made. A machine removes its seeds before its mark changes to
 * `made`, so a leftover seed is possible only if a machine is missing. Images matter for machines that have no system
 * disk yet.
 */
export function locationsThatMatter(
  question: ObserveScope,
  places: Places,
  {
    machines,
    missing,
    isTidy = false,
  }: {
    readonly machines: readonly ObservedMachine[]
    readonly missing: readonly Machine[]
    readonly isTidy?: boolean
  },
): StorageLocation[] {
  const wantsImages = imagesMatter(question, machines, missing)
  const wantsSeeds = seedsMatter(question, machines)
  // A failed run may have left a seed on any storage.
  if (missing.length > 0 || (places.intent.length > 0 && !isTidy))
    return locationsOf(question, places, (host, content) => wantsSeeds(host, content) || wantsImages(host, content))
  const locations = locationsOf(question, places, wantsImages)
  return locations.length > fewLocations ? [] : locations
}

/** Storages of machines that wait for their disks, and all possible ones for missing machines. */
function imagesMatter(
  question: ObserveScope,
  machines: readonly ObservedMachine[],
  missing: readonly Machine[],
): Wants {
  const bare = question.isCloned ? [] : machines.filter(({ options }) => options.scsi0 === undefined)
  const homes = new Set([...bare, ...missing].map(({ host }) => host))
  const isAnywhere = missing.some(({ host }) => host === undefined || question.isCloned)
  return (host, content) =>
    content === question.imageContent && (homes.has(host) || (isAnywhere && isAsked(host, question)))
}

/** Storages that must hold user-provided media for what is yet to be created. */
export function mediaLocations(
  question: ObserveScope,
  { hosts, storages, guests }: Pick<ObservedProxmox, 'hosts' | 'storages' | 'guests'>,
  isMakingMachines: boolean,
): StorageLocation[] {
  const online = new Set(hosts.filter((host) => host.online).map(({ name }) => name))
  return question.media.flatMap(({ storage: wanted, guest }) => {
    const isMade = guest !== undefined && guests.some(({ name, vmid }) => name === guest.name || vmid === guest.vmid)
    if (guest === undefined ? !isMakingMachines : isMade) return []
    const there = storages.filter(
      ({ host, storage, shared, available, content }) =>
        storage === wanted &&
        available &&
        online.has(host) &&
        content.includes('iso') &&
        (guest === undefined ? isAsked(host, question) : shared || host === guest.host),
    )
    const [first] = there
    return (first?.shared === true ? [first] : there).map(({ host, storage }) => ({ host, storage, content: 'iso' }))
  })
}

/** Every storage that could hold a seed: a teardown deletes them all, whatever happened to their machines. */
export function seedLocations(
  question: ObserveScope,
  places: Places,
  machines: readonly ObservedMachine[],
): StorageLocation[] {
  return locationsOf(question, places, seedsMatter(question, machines))
}

/** On hosts that machines may run on, and on hosts where they do. */
function seedsMatter(question: ObserveScope, machines: readonly ObservedMachine[]): Wants {
  const homes = new Set(machines.map(({ host }) => host))
  return (host) => isAsked(host, question) || homes.has(host)
}

/** A shared storage is read through one host. */
function locationsOf({ datastores }: ObserveScope, { hosts, storages }: Places, wants: Wants): StorageLocation[] {
  const online = new Set(hosts.filter((host) => host.online).map(({ name }) => name))
  const locations = new Map<string, StorageLocation>()
  for (const { host, storage, shared, available, content: allowed } of storages) {
    if (!available || !online.has(host) || (datastores.length > 0 && !datastores.includes(storage))) continue
    for (const content of ['iso', 'import'] as const) {
      const key = `${shared ? '' : host}/${storage}/${content}`
      if (allowed.includes(content) && wants(host, content) && !locations.has(key))
        locations.set(key, { host, storage, content })
    }
  }
  return [...locations.values()]
}
