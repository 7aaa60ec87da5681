import type { Desired } from '../desired/desired.js'
import type { BackupJob } from '../proxmox/client/port.js'

/** The job of this cluster among all. Jobs of others are not looked at. */
export function findJob({ cluster }: Pick<Desired, 'cluster'>, jobs: readonly BackupJob[]): BackupJob | undefined {
  return jobs.find(({ id }) => id === `ichor-${cluster.name}-machines`)
}

/** Settings that somebody added are left as they are. */
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

/** The order of VMIDs means nothing to Proxmox. */
function selection({ what }: BackupJob): string {
  return 'pool' in what ? `pool ${what.pool}` : [...what.vmids].sort((one, other) => one - other).join(',')
}
