import { existsSync } from 'node:fs'
import { findSnapshot, type ListedSnapshot, listSnapshots, type SnapshotOwner } from '../../backup/list-snapshots.js'
import { UsageError } from '../../errors.js'
import type { BackupPlace } from './place.js'

/** The snapshot of that name, or the newest. */
export async function getSnapshot(
  named: string | undefined,
  owner: SnapshotOwner,
  { store }: BackupPlace,
  signal: AbortSignal,
): Promise<ListedSnapshot> {
  const found = findSnapshot(await listSnapshots(store, owner, signal), named, store.location)
  if (found !== undefined) return found
  throw new UsageError(named === undefined ? 'There is no snapshot yet.' : `There is no snapshot ${named}.`, {
    where: store.location,
    fix: fixFor(named),
  })
}

function fixFor(named: string | undefined): string {
  if (named === undefined) return 'Take one with `ichor backup`.'
  if (!existsSync(named)) return 'Choose one from `ichor backup list`.'
  return 'A snapshot is chosen by its name in the store; a file that talosctl or etcdctl wrote is taken with --foreign.'
}
