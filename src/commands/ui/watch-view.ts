import type { Inventory } from '../../inventory/inventory.js'
import { type MemoryPlaces, memoryFile } from '../../operations/watch/memory-file.js'
import type { WatchView } from '../../page/snapshot.js'
import { opensNext, openUntil } from '../../watch/window.js'

/** What a watch on this computer has written down of this cluster; `null` if there was none. */
export async function watchView(
  { folder, settings }: Pick<Inventory, 'folder' | 'settings'>,
  places: MemoryPlaces,
  now = Date.now(),
): Promise<WatchView | null> {
  const memory = await memoryFile(folder, places).read()
  if (memory === undefined) return null
  const { plan, seenAt, unseen, refused, acting } = memory
  const until = openUntil(settings.watch.window, now)
  return {
    seen_at: seenAt === undefined ? null : timeOf(seenAt),
    pending:
      plan === undefined ? null : { since: timeOf(plan.since), steps: plan.steps?.length ?? null, digest: plan.digest },
    applies: settings.watch.apply,
    open_until: until === undefined || until === Number.POSITIVE_INFINITY ? null : timeOf(until),
    opens: timeOrNull(opensNext(settings.watch.window, now)),
    problem: refused ?? unseen ?? acting?.problem ?? null,
  }
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}

function timeOrNull(at: number | undefined): string | null {
  return at === undefined ? null : timeOf(at)
}
