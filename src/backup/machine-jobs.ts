import type { BackupJob } from '../proxmox/client/port.js'

/** What the inventory says about backups of whole machines. */
export interface MachineBackups {
  /** In Proxmox's own words, such as `sun 02:00`. */
  readonly schedule: string
  readonly datastore: string
  readonly keep: number
  /** Guests of the inventory, too. */
  readonly guests: boolean
}

/** A machine or guest as far as its backup goes. */
export interface BackedUpVm {
  readonly vmid: number
  readonly kind: 'controlplane' | 'worker' | 'guest'
  /** It has disks beside the one that Talos is on. */
  readonly hasData: boolean
}

export interface JobChanges {
  readonly set: readonly BackupJob[]
  readonly remove: readonly string[]
}

/**
 * The backup job of a cluster, or none. Workers are in it for their data disks: everything else on a node is made again
 * from the inventory. Control planes never are: restoring one would put an old etcd member into a living cluster, and its
 * image holds the keys of every authority.
 */
export function desiredJobs(
  cluster: string,
  backups: MachineBackups | undefined,
  vms: readonly BackedUpVm[],
): readonly BackupJob[] {
  if (backups === undefined) return []
  const { schedule, datastore, keep, guests } = backups
  const vmids = vms
    .filter(({ kind, hasData }) => (kind === 'worker' && hasData) || (kind === 'guest' && guests))
    .map(({ vmid }) => vmid)
    .sort((one, other) => one - other)
  if (vmids.length === 0) return []
  return [
    {
      id: jobId(cluster),
      schedule,
      storage: datastore,
      enabled: true,
      what: { vmids },
      settings: {
        mode: 'snapshot',
        compress: 'zstd',
        'prune-backups': `keep-last=${keep}`,
        'notes-template': '{{guestname}}',
        comment: `ichor: ${cluster}`,
      },
    },
  ]
}

/** What differs from Proxmox. Jobs of others are not looked at, nor settings of ours that somebody added. */
export function compareJobs(cluster: string, desired: readonly BackupJob[], current: readonly BackupJob[]): JobChanges {
  const ours = current.filter(({ id }) => id === jobId(cluster))
  return {
    set: desired.filter((job) => !ours.some((existing) => isSame(job, existing))),
    remove: ours.filter(({ id }) => !desired.some((job) => job.id === id)).map(({ id }) => id),
  }
}

function jobId(cluster: string): string {
  return `ichor-${cluster}-machines`
}

function isSame(wanted: BackupJob, existing: BackupJob): boolean {
  return (
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
