import { findJob, isSameJob } from '../capabilities/backup-job/backup-job.js'
import { seen } from '../cluster/seen.js'
import { defineStep, noArgs } from './step.js'

/** Proxmox backs up machines and guests as the inventory specifies. */
export const setBackupJob = defineStep({
  kind: 'set-backup-job',
  args: noArgs,
  title: (_args, { cluster }) => `set the backup job of ${cluster.name} in Proxmox`,
  changes: true,
  disruptive: false,
  inputs: (_args, { backupJob }) => ({ known: () => ({ backupJob }) }),
  async done(_args, { proxmox, desired, signal }) {
    const { backupJob } = desired
    return backupJob === undefined || isSameJob(backupJob, findJob(desired, await proxmox.backup.jobs(signal)))
  },
  async run(_args, { proxmox, desired: { backupJob }, signal, assertLease }) {
    assertLease()
    if (backupJob !== undefined) await proxmox.backup.setJob(backupJob, signal)
  },
  effect: (_args, model, { backupJob }) =>
    model.change(({ proxmox }) => ({
      proxmox: { ...proxmox, backupJobs: seen(backupJob === undefined ? [] : [backupJob]) },
    })),
})

/** The job is no longer wanted. Existing backups are kept. */
export const removeBackupJob = defineStep({
  kind: 'remove-backup-job',
  args: noArgs,
  title: (_args, { cluster }) => `remove the backup job of ${cluster.name} from Proxmox`,
  changes: true,
  disruptive: false,
  done: async (_args, { proxmox, desired, signal }) =>
    findJob(desired, await proxmox.backup.jobs(signal)) === undefined,
  async run(_args, { proxmox, desired, signal, assertLease }) {
    const job = findJob(desired, await proxmox.backup.jobs(signal))
    assertLease()
    if (job !== undefined) await proxmox.backup.removeJob(job.id, signal)
  },
  effect: (_args, model) => model.change(({ proxmox }) => ({ proxmox: { ...proxmox, backupJobs: seen([]) } })),
})
