import { findJob, isSameJob } from '../capabilities/backup-job/backup-job.js'
import type { Desired } from '../desired/desired.js'
import type { Finding } from '../findings/finding.js'
import type { Observed } from '../observe/observed.js'
import { removeBackupJob, setBackupJob } from '../steps/backup-job.js'
import { claimMachine } from '../steps/claim-machine.js'
import { mayAdminister, noteForAdministrator } from './administration.js'
import type { Draft, StepRef } from './draft.js'

const reasons = {
  missing: 'backup.machines in the inventory',
  different: 'it differs from the inventory',
  unwanted: 'backup.machines was removed from the inventory',
}

/** The backup job of the cluster. Left unchanged if this token may not write it. */
export function planBackupJob(draft: Draft, observed: Observed): StepRef | undefined {
  const problem = findJobProblem(draft.desired, observed)
  if (problem === undefined || !mayAdminister(observed)) return undefined
  if (problem === 'unwanted') return draft.add(removeBackupJob, {}, reasons[problem])
  return draft.add(setBackupJob, {}, reasons[problem], draft.refs(claimMachine))
}

/** What is wrong with the backup job; unknown if the jobs or one of the machines could not be read. */
function findJobProblem(desired: Desired, { proxmox: { backupJobs } }: Observed): keyof typeof reasons | undefined {
  const { backupJob, away } = desired
  if (backupJobs?.seen !== true || away.length > 0) return undefined
  const there = findJob(desired, backupJobs.value)
  if (backupJob === undefined) return there === undefined ? undefined : 'unwanted'
  if (isSameJob(backupJob, there)) return undefined
  return there === undefined ? 'missing' : 'different'
}

/** For a token that may not write it. */
export function backupJobNotes(desired: Desired, observed: Observed): Finding[] {
  const problem = findJobProblem(desired, observed)
  if (problem === undefined || mayAdminister(observed)) return []
  const job = `The backup job of ${desired.cluster.name}`
  const subject = { kind: 'object', name: 'backup job' } as const
  if (problem === 'unwanted') return [noteForAdministrator(desired, `${job} is no longer wanted`, subject)]
  const vmids = new Set(observed.machines.map(({ vmid }) => vmid))
  const isEarly = desired.machines.some(({ vmid }) => !vmids.has(vmid))
  const how = problem === 'missing' ? 'is missing' : 'differs from the inventory'
  return [noteForAdministrator(desired, `${job} ${how}`, subject, isEarly)]
}
