import { placeOfKey } from '../../backup/etcd-snapshot/key-place.js'
import { readKeys } from '../../backup/etcd-snapshot/read-etcd-snapshot.js'
import { chooseEtcdSource } from '../../backup/etcd-source.js'
import { isFleeting } from '../../backup/fleeting-keys.js'
import { readSpooled } from '../../backup/spooled-snapshot.js'
import { ageText } from '../../report/duration.js'
import type { ChosenSnapshot } from './chosen-snapshot.js'
import { controlPlanesOf, type SaveInput } from './save-etcd.js'

const volumesPrefix = '/registry/persistentvolumes/'

/** What a restore would lose, in sentences: later writes, and objects that are not in the snapshot. */
export async function describeLosses(chosen: ChosenSnapshot, input: SaveInput, signal: AbortSignal): Promise<string[]> {
  const then = await keysIn(chosen, signal)
  const now = await keysNow(input, signal)
  const volumes = await volumesOf(input, then, now, signal)
  return [
    `${chosen.snapshot} was taken at ${chosen.takenAt}, ${ageText((Date.now() - Date.parse(chosen.takenAt)) / 1000)} ago: all later changes in Kubernetes are lost.`,
    now === undefined
      ? 'What Kubernetes holds now cannot be read, so that what is lost cannot be listed.'
      : objectsText([...now].filter((key) => !then.has(key))),
    ...(volumes.length === 0
      ? []
      : [
          `${volumes.length === 1 ? 'A volume is' : `${volumes.length} volumes are`} newer than the snapshot, and ${volumes.length === 1 ? 'is' : 'are'} kept, but no longer used: ${volumes.join(', ')}.`,
        ]),
  ]
}

const maxNames = 8

function objectsText(lost: readonly string[]): string {
  if (lost.length === 0) return 'No object exists now that is not in the snapshot.'
  const shown = lost.slice(0, maxNames).map(nameOf).join(', ')
  const more = lost.length > maxNames ? ` and ${lost.length - maxNames} more` : ''
  return `${lost.length} ${lost.length === 1 ? 'object exists' : 'objects exist'} now and not in the snapshot: ${shown}${more}.`
}

/** `deployments default/web`. */
function nameOf(key: string): string {
  const { kind, prefix } = placeOfKey(key)
  return kind === '' ? key : `${kind} ${key.slice(prefix.length)}`
}

async function keysIn(chosen: ChosenSnapshot, signal: AbortSignal): Promise<Set<string>> {
  const { source, where, close } = await chosen.open(signal)
  try {
    return await readKeys(source, '/registry/', where)
  } finally {
    await close()
  }
}

/** From a temporary snapshot, encrypted like everything on disk. `undefined` if no member can provide one. */
async function keysNow(
  { opened: { inventory, world, ...opened }, place, recipients }: SaveInput,
  signal: AbortSignal,
): Promise<Set<string> | undefined> {
  const controlPlanes = await controlPlanesOf({ inventory, world, ...opened }, signal)
  const source = await chooseEtcdSource(world, controlPlanes, inventory.settings.cluster_name, signal).catch(
    () => undefined,
  )
  if (source === undefined) return undefined
  const from = source.machine
  const keys = await readSpooled(source.stream(signal), { store: place.store, recipients, from }, (file) =>
    readKeys(file, '/registry/', from),
  )
  return new Set([...keys].filter((key) => !isFleeting(key)))
}

/** Current volumes in Kubernetes, and disks of the CSI driver, that the snapshot does not have. */
async function volumesOf(
  { opened: { world } }: SaveInput,
  then: ReadonlySet<string>,
  now: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  const known = [...(now ?? [])].filter((key) => key.startsWith(volumesPrefix) && !then.has(key))
  const { storages } = await world.proxmox.cluster.resources(signal)
  const usable = storages.filter(({ content, available }) => available && content.includes('images'))
  const listed = await Promise.all(
    usable.map(({ host, storage }) => world.proxmox.storage.content(host, storage, 'images', signal).catch(() => [])),
  )
  const disks = listed.flat().flatMap(({ volid }) => /\b(pvc-[0-9a-f-]{36})\b/.exec(volid)?.[1] ?? [])
  const names = [...known.map((key) => key.slice(volumesPrefix.length)), ...disks]
  return [...new Set(names)].filter((name) => !then.has(`${volumesPrefix}${name}`)).sort()
}
