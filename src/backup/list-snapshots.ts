import { reasonOf } from '../errors.js'
import type { SecretsBundle } from '../secrets/bundle.js'
import { type DrillResult, findDrill } from './drill-result.js'
import { foreignReason, type Manifest, parseManifest } from './manifest.js'
import { type SnapshotFault, SnapshotRefused } from './snapshot-error.js'
import { findSnapshotObject, objectsOf } from './snapshot-name.js'
import { readText, type SnapshotStore, type StoredObject } from './store.js'

/** A snapshot that can be restored, as far as its listing shows. */
export interface ListedSnapshot {
  readonly manifest: Manifest
  readonly drill?: DrillResult
}

export interface BrokenSnapshot {
  readonly name: string
  readonly fault: SnapshotFault
  readonly because: string
}

export interface Listing {
  /** Newest first. */
  readonly snapshots: readonly ListedSnapshot[]
  /** Manifests that cannot be read or that this cluster did not seal, or whose data is missing or has another size. */
  readonly broken: readonly BrokenSnapshot[]
  readonly objects: readonly StoredObject[]
}

export interface SnapshotOwner {
  readonly cluster: string
  /** Without it seals cannot be checked, and no drill counts. */
  readonly bundle: SecretsBundle | undefined
}

/** Every snapshot of a cluster in a store. Data without a manifest is not listed: it was never finished. */
export async function listSnapshots(
  store: SnapshotStore,
  { cluster, bundle }: SnapshotOwner,
  signal: AbortSignal,
): Promise<Listing> {
  const objects = await store.list(signal)
  const sizes = new Map(objects.map(({ name, size }) => [name, size]))
  const snapshots: ListedSnapshot[] = []
  const broken: BrokenSnapshot[] = []
  for (const name of manifestsOf(objects, cluster)) {
    const found = await readListed({ store, bundle, sizes }, name, signal)
    if ('because' in found) broken.push(found)
    else snapshots.push(found)
  }
  snapshots.sort((one, other) => (one.manifest.taken_at < other.manifest.taken_at ? 1 : -1))
  return { snapshots, broken, objects }
}

/** The snapshot with that name, or the newest; a broken one is refused, not skipped. `undefined` if there is none. */
export function findSnapshot({ snapshots, broken }: Listing, name: string | undefined, where: string) {
  const whole = snapshots.filter(({ manifest }) => manifest.raw_copy_of === undefined)
  const names = [...whole.map(({ manifest }) => manifest.name), ...broken.map((one) => one.name)]
  const wanted = name ?? names.sort().at(-1)
  const damaged = broken.find((one) => one.name === wanted)
  if (damaged === undefined) return snapshots.find(({ manifest }) => manifest.name === wanted)
  throw new SnapshotRefused(damaged.fault, `Snapshot ${damaged.name} cannot be used: ${damaged.because}.`, {
    where,
    fix: 'Choose another snapshot from `ichor backup list`.',
  })
}

function manifestsOf(objects: readonly StoredObject[], cluster: string): string[] {
  return objects.flatMap(({ name }) => {
    const object = findSnapshotObject(name)
    return object?.kind === 'manifest' && isOfCluster(object.snapshot, cluster) ? [object.snapshot] : []
  })
}

/** `dev` is not `dev-2`: the cluster's name is followed by a time. */
export function isOfCluster(snapshot: string, cluster: string): boolean {
  return snapshot.startsWith(`${cluster}-`) && /^\d{8}T\d{6}Z-[0-9a-f]{8}$/.test(snapshot.slice(cluster.length + 1))
}

async function readListed(
  {
    store,
    bundle,
    sizes,
  }: Pick<SnapshotOwner, 'bundle'> & { readonly store: SnapshotStore; readonly sizes: ReadonlyMap<string, number> },
  name: string,
  signal: AbortSignal,
): Promise<ListedSnapshot | BrokenSnapshot> {
  const names = objectsOf(name)
  const text = await readText(store, names.manifest, signal)
  try {
    const manifest = parseManifest(text, names.manifest)
    const foreign = bundle === undefined ? undefined : foreignReason(manifest, bundle)
    if (foreign !== undefined) return { name, fault: 'foreign', because: foreign }
    if (manifest.name !== name) return { name, fault: 'foreign', because: `its manifest is of ${manifest.name}` }
    const size = sizes.get(names.etcd)
    if (size === undefined) return { name, fault: 'truncated', because: 'its data is missing' }
    if (size !== manifest.encrypted_size) {
      const fault = size < manifest.encrypted_size ? 'truncated' : 'corrupt'
      return { name, fault, because: `its data has ${size} of ${manifest.encrypted_size} bytes` }
    }
    if (bundle === undefined || !sizes.has(names.drill)) return { manifest }
    const drill = findDrill(await readText(store, names.drill, signal), name, bundle)
    return drill === undefined ? { manifest } : { manifest, drill }
  } catch (thrown) {
    const fault = thrown instanceof SnapshotRefused ? thrown.fault : 'corrupt'
    return { name, fault, because: reasonOf(thrown).replace(/\.$/, '') }
  }
}
