import { reasonOf } from '../errors.js'
import { type DrillResult, findDrill } from './drill-result.js'
import { type Manifest, parseManifest } from './manifest.js'
import { findSnapshotObject, objectsOf } from './snapshot-name.js'
import { readText, type SnapshotStore, type StoredObject } from './store.js'

/** One that can be restored as far as its listing tells. */
export interface ListedSnapshot {
  readonly manifest: Manifest
  readonly drill?: DrillResult
}

export interface Listing {
  /** The newest first. */
  readonly snapshots: readonly ListedSnapshot[]
  /** Manifests that cannot be read, or whose data is missing or has another size. */
  readonly broken: readonly { readonly name: string; readonly because: string }[]
  readonly objects: readonly StoredObject[]
}

/** Every snapshot of a cluster in a store. Data without a manifest is not listed: it was never finished. */
export async function listSnapshots(store: SnapshotStore, cluster: string, signal: AbortSignal): Promise<Listing> {
  const objects = await store.list(signal)
  const sizes = new Map(objects.map(({ name, size }) => [name, size]))
  const snapshots: ListedSnapshot[] = []
  const broken: { name: string; because: string }[] = []
  for (const name of manifestsOf(objects, cluster)) {
    const found = await readListed(store, name, sizes, signal)
    if ('because' in found) broken.push({ name, because: found.because })
    else snapshots.push(found)
  }
  snapshots.sort((one, other) => (one.manifest.taken_at < other.manifest.taken_at ? 1 : -1))
  return { snapshots, broken, objects }
}

function manifestsOf(objects: readonly StoredObject[], cluster: string): string[] {
  return objects.flatMap(({ name }) => {
    const object = findSnapshotObject(name)
    return object?.kind === 'manifest' && isOfCluster(object.snapshot, cluster) ? [object.snapshot] : []
  })
}

/** `dev` is not `dev-2`: what follows the cluster's name is a time. */
export function isOfCluster(snapshot: string, cluster: string): boolean {
  return snapshot.startsWith(`${cluster}-`) && /^\d{8}T\d{6}Z-[0-9a-f]{8}$/.test(snapshot.slice(cluster.length + 1))
}

async function readListed(
  store: SnapshotStore,
  name: string,
  sizes: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<ListedSnapshot | { because: string }> {
  const names = objectsOf(name)
  const text = await readText(store, names.manifest, signal)
  try {
    const manifest = parseManifest(text, names.manifest)
    const size = sizes.get(names.etcd)
    if (size === undefined) return { because: 'its data is missing' }
    if (size !== manifest.encrypted_size) return { because: `its data has ${size} of ${manifest.encrypted_size} bytes` }
    const drill = sizes.has(names.drill) ? findDrill(await readText(store, names.drill, signal)) : undefined
    return drill === undefined ? { manifest } : { manifest, drill }
  } catch (thrown) {
    return { because: reasonOf(thrown) }
  }
}
