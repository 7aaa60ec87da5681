import type { Desired } from '../../desired/desired.js'
import type { BackupJob } from '../../proxmox/client/port.js'

/** The job of this cluster. Jobs of others are ignored. */
export function findJob({ cluster }: Pick<Desired, 'cluster'>, jobs: readonly BackupJob[]): BackupJob | undefined {
  return jobs.find(({ id }) => id === `ichor-${cluster.name}-machines`)
}

/** Settings added by hand are kept. */
export function isSameJob(wanted: BackupJob, existing: BackupJob | undefined): boolean {
  return (
    existing !== undefined &&
    wanted.schedule === existing.schedule &&
    wanted.storage === existing.storage &&
    wanted.enabled === existing.enabled &&
    selection(wanted) === selection(existing) &&
    Object.entries(wanted.settings).every(([name, value]) => existing.settings[name] === value)
  )
}

/** Proxmox ignores the order of VMIDs. */
function selection({ what }: BackupJob): string {
  return 'pool' in what ? `pool ${what.pool}` : [...what.vmids].sort((one, other) => one - other).join(',')
}
