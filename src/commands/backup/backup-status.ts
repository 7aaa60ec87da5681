import { listSnapshots } from '../../backup/list-snapshots.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { BackupStatus } from '../../status/status.js'
import type { Context } from '../frame/context.js'
import { openPlace } from './place.js'

const patienceMs = 5000

/** The age of the newest snapshot. An unreachable store does not hide the rest of the status. */
export async function backupStatus(inventory: Inventory, lab: boolean, context: Context): Promise<BackupStatus | null> {
  try {
    const { store } = await openPlace(inventory, { to: undefined, lab }, context)
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(patienceMs)])
    const { snapshots } = await listSnapshots(store, inventory.settings.cluster_name, signal)
    const whole = snapshots.filter(({ manifest }) => manifest.raw_copy_of === undefined)
    const last = whole[0]?.manifest.taken_at ?? null
    const drills = whole.flatMap(({ drill }) => (drill?.outcome === 'passed' ? [drill.at] : [])).sort()
    const age = last === null ? null : Math.round((Date.now() - Date.parse(last)) / 1000)
    return { last, age_s: age, drilled: drills.at(-1) ?? null }
  } catch {
    context.signal.throwIfAborted()
    return null
  }
}
