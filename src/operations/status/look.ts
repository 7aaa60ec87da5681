import type { PlannedAddon } from '../../addons/planned-addon.js'
import { lastProblem } from '../../events/history.js'
import type { Inventory } from '../../inventory/inventory.js'
import { readOnly } from '../../read-only.js'
import { survey } from '../reconcile.js'
import type { Session } from '../session.js'
import { specOf } from '../spec/spec-of.js'
import { findUnreadableSecrets, type UnreadableSecrets } from './unreadable-secrets.js'

type Seen = Awaited<ReturnType<typeof survey>> & {
  readonly wanted: {
    readonly inventory: Inventory
    readonly addons: readonly PlannedAddon[]
    readonly lastProblem: string | undefined
    readonly unreadable: readonly UnreadableSecrets[]
  }
}

/** What is wanted and what is, also if the plan is refused. Changes nothing. */
export async function look(
  session: Pick<Session, 'inventory' | 'world' | 'env' | 'lab'>,
  signal: AbortSignal,
): Promise<Seen> {
  const spec = await specOf(session)
  const world = readOnly(session.world)
  const seen = await survey({ spec, world, signal })
  const unreadable = await findUnreadableSecrets(seen.observed, world, signal)
  const last = lastProblem(session.inventory.folder)
  return { ...seen, wanted: { inventory: seen.inventory, addons: spec.addons, lastProblem: last, unreadable } }
}
