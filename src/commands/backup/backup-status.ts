import { lastDue } from '../../backup/cron.js'
import { listSnapshots } from '../../backup/list-snapshots.js'
import type { BackupFacts } from '../../findings/facts.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { BackupStatus } from '../../operations/status/status.js'
import type { Context } from '../frame/context.js'
import { openPlace } from './place.js'

const patienceMs = 5000

/** The age of the newest snapshot, and the last drill. */
export function backupFrom(facts: BackupFacts | null): BackupStatus | null {
  if (facts === null) return null
  const { newest, drilledAt } = facts
  return {
    name: newest?.name ?? null,
    last: newest === undefined ? null : timeOf(newest.takenAt),
    age_s: newest === undefined ? null : Math.round((Date.now() - newest.takenAt) / 1000),
    drilled: drilledAt === undefined ? null : timeOf(drilledAt),
  }
}

/** `null` if the store cannot be read: it does not hide the rest of the status. */
export async function backupFacts(inventory: Inventory, lab: boolean, context: Context): Promise<BackupFacts | null> {
  try {
    const { store, secrets } = await openPlace(inventory, { to: undefined, lab, mayAsk: false }, context)
    const bundle = (await secrets.find())?.bundle
    // Without the secrets no seal can be verified.
    if (bundle === undefined) return null
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(patienceMs)])
    const { snapshots } = await listSnapshots(store, { cluster: inventory.settings.cluster_name, bundle }, signal)
    const whole = snapshots.filter(({ manifest }) => manifest.raw_copy_of === undefined)
    const [newest] = whole
    const drilledAt = whole
      .flatMap(({ drill }) => (drill?.outcome === 'passed' ? [Date.parse(drill.at)] : []))
      .reduce((latest, at) => Math.max(latest, at), 0)
    return {
      ...(newest === undefined
        ? {}
        : { newest: { name: newest.manifest.name, takenAt: Date.parse(newest.manifest.taken_at) } }),
      ...(drilledAt === 0 ? {} : { drilledAt }),
      ...missedSince(inventory, Date.now()),
    }
  } catch {
    context.signal.throwIfAborted()
    return null
  }
}

/** The scheduled time before the last one. */
function missedSince({ settings }: Inventory, now: number): Pick<BackupFacts, 'dueSince'> {
  const { schedule, time_zone: zone } = settings.backup.etcd
  if (schedule === undefined) return {}
  const last = lastDue(schedule, zone, now)
  const dueSince = last === undefined ? undefined : lastDue(schedule, zone, last - 60_000)
  return dueSince === undefined ? {} : { dueSince }
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}
