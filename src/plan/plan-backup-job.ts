import { findJob, isSameJob } from '../machine/backup-job.js'
import type { Observed } from '../observe/observed.js'
import { removeBackupJob, setBackupJob } from '../steps/backup-job.js'
import { claimMachine } from '../steps/claim-machine.js'
import type { Draft, StepRef } from './draft.js'

/** The backup job of the cluster. Left unchanged if the jobs or one of the machines could not be read. */
export function planBackupJob(draft: Draft, { proxmox: { backupJobs } }: Observed): StepRef | undefined {
  const { backupJob, away } = draft.desired
  if (backupJobs?.seen !== true || away.length > 0) return undefined
  const there = findJob(draft.desired, backupJobs.value)
  if (backupJob === undefined)
    return there === undefined
      ? undefined
      : draft.add(removeBackupJob, {}, 'backup.machines was removed from the inventory')
  if (isSameJob(backupJob, there)) return undefined
  const reason = there === undefined ? 'backup.machines in the inventory' : 'it differs from the inventory'
  return draft.add(setBackupJob, {}, reason, draft.refs(claimMachine))
}
