import { findSnapshot, type ListedSnapshot, listSnapshots } from '../../backup/list-snapshots.js'
import { UsageError } from '../../errors.js'
import type { BackupPlace } from './place.js'

/** The snapshot of that name, or the newest. */
export async function getSnapshot(
  named: string | undefined,
  cluster: string,
  { store }: BackupPlace,
  signal: AbortSignal,
): Promise<ListedSnapshot> {
  const found = findSnapshot(await listSnapshots(store, cluster, signal), named, store.location)
  if (found !== undefined) return found
  throw new UsageError(named === undefined ? 'There is no snapshot yet.' : `There is no snapshot ${named}.`, {
    where: store.location,
    fix: named === undefined ? 'Take one with `ichor backup`.' : 'Choose one from `ichor backup list`.',
  })
}
