import { expect, test } from 'vitest'
import type { BackupJob } from '../../proxmox/client/port.js'
import { isSameJob } from './backup-job.js'

const job: BackupJob = {
  id: 'ichor-dev-machines',
  schedule: 'sun 02:00',
  storage: 'pbs',
  enabled: true,
  what: { vmids: [3000, 3001] },
  settings: { mode: 'snapshot', 'prune-backups': 'keep-last=3' },
}

test.each<[string, BackupJob | undefined, boolean]>([
  ['there is none yet', undefined, false],
  ['it is there', job, true],
  ['VMIDs in another order', { ...job, what: { vmids: [3001, 3000] } }, true],
  ['somebody added a setting', { ...job, settings: { ...job.settings, mailto: 'x' } }, true],
  ['another schedule', { ...job, schedule: 'sat 02:00' }, false],
  ['a machine came', { ...job, what: { vmids: [3000] } }, false],
  ['a pool in its place', { ...job, what: { pool: 'dev' } }, false],
  ['another number kept', { ...job, settings: { ...job.settings, 'prune-backups': 'keep-last=9' } }, false],
  ['switched off by hand', { ...job, enabled: false }, false],
])('%s', (_because, existing, isSame) => {
  expect(isSameJob(job, existing)).toBe(isSame)
})
