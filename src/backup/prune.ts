import { isOfCluster, type Listing } from './list-snapshots.js'
import { applyRetention, type Retention } from './retention.js'
import { findSnapshotObject, objectsOf } from './snapshot-name.js'
import type { SnapshotStore } from './store.js'

const unfinishedAfterMs = 24 * 3600_000

export interface PrunePlan {
  readonly kept: readonly { readonly name: string; readonly because: string }[]
  /** Snapshots that retention removes. */
  readonly removed: readonly string[]
  /** Objects without a manifest that are too old to be in progress. */
  readonly unfinished: readonly string[]
}

export interface PruneInput {
  readonly cluster: string
  readonly listing: Listing
  readonly retention: Retention
  readonly timeZone: string
  readonly now: number
}

/**
 * What a prune would remove. Only good snapshots of this cluster count; broken or foreign ones are kept for the user to
 * decide.
 */
export function planPrune({ cluster, listing, retention, timeZone, now }: PruneInput): PrunePlan {
  const good = listing.snapshots.filter(({ manifest }) => manifest.raw_copy_of === undefined)
  const copies = listing.snapshots.filter(({ manifest }) => manifest.raw_copy_of !== undefined)
  const verdict = applyRetention(
    good.map(({ manifest, drill }) => ({
      name: manifest.name,
      takenAt: manifest.taken_at,
      isDrilled: drill?.outcome === 'passed',
    })),
    retention,
    timeZone,
  )
  return {
    kept: [
      ...verdict.keep,
      ...copies.map(({ manifest }) => ({ name: manifest.name, because: `raw copy of ${manifest.raw_copy_of}` })),
      ...listing.broken.map(({ name, because }) => ({ name, because })),
    ],
    removed: verdict.remove,
    unfinished: unfinishedObjects(cluster, listing, now),
  }
}

function unfinishedObjects(cluster: string, { objects }: Listing, now: number): string[] {
  const names = new Set(objects.map(({ name }) => name))
  return objects.flatMap(({ name, modified }) => {
    const object = findSnapshotObject(name)
    if (object === undefined || !isOfCluster(object.snapshot, cluster)) return []
    const isFinished = names.has(objectsOf(object.snapshot).manifest)
    return isFinished || modified > now - unfinishedAfterMs ? [] : [name]
  })
}

/** The manifest is deleted first, so that a snapshot is never listed without its data. */
export async function prune(
  store: SnapshotStore,
  { removed, unfinished }: PrunePlan,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  for (const name of removed) {
    const { manifest, drill, etcd, secrets } = objectsOf(name)
    for (const object of [manifest, drill, etcd, secrets]) await store.remove(object, signal)
  }
  for (const object of unfinished) await store.remove(object, signal)
  await store.removeUnfinished(now - unfinishedAfterMs, signal)
}
