import { expect, test } from 'vitest'
import type { BackupJob } from '../proxmox/client/port.js'
import { type BackedUpVm, compareJobs, desiredJobs } from './machine-jobs.js'

const backups = { schedule: 'sun 02:00', datastore: 'pbs', keep: 3, guests: false }
const vms: readonly BackedUpVm[] = [
  { vmid: 2000, kind: 'controlplane', hasData: true },
  { vmid: 3001, kind: 'worker', hasData: true },
  { vmid: 3000, kind: 'worker', hasData: true },
  { vmid: 3002, kind: 'worker', hasData: false },
  { vmid: 400, kind: 'guest', hasData: false },
]

test.each([
  { because: 'nothing asked for', settings: undefined, vmids: undefined },
  { because: 'workers with data, never control planes', settings: backups, vmids: [3000, 3001] },
  { because: 'guests, if asked for', settings: { ...backups, guests: true }, vmids: [400, 3000, 3001] },
])('$because: $vmids', ({ settings, vmids }) => {
  const [job] = desiredJobs('dev', settings, vms)
  expect(job?.what).toEqual(vmids === undefined ? undefined : { vmids })
})

test('a cluster without anything to back up has no job', () => {
  expect(
    desiredJobs(
      'dev',
      backups,
      vms.filter(({ vmid }) => vmid === 2000),
    ),
  ).toEqual([])
})

test('the job says what Proxmox needs to know', () => {
  expect(desiredJobs('dev', backups, vms)).toEqual([
    {
      id: 'ichor-dev-machines',
      schedule: 'sun 02:00',
      storage: 'pbs',
      enabled: true,
      what: { vmids: [3000, 3001] },
      settings: {
        mode: 'snapshot',
        compress: 'zstd',
        'prune-backups': 'keep-last=3',
        'notes-template': '{{guestname}}',
        comment: 'ichor: dev',
      },
    },
  ])
})

const desired = desiredJobs('dev', backups, vms)
const [job] = desired as [BackupJob]
const foreign: BackupJob = { ...job, id: 'backup-1', what: { pool: 'all' } }
const ofAnother: BackupJob = { ...job, id: 'ichor-dev-2-machines' }

test.each([
  { because: 'there is none yet', current: [foreign, ofAnother], set: 1, remove: 0 },
  { because: 'it is there', current: [job, foreign], set: 0, remove: 0 },
  { because: 'VMIDs in another order', current: [{ ...job, what: { vmids: [3001, 3000] } }], set: 0, remove: 0 },
  {
    because: 'somebody added a setting',
    current: [{ ...job, settings: { ...job.settings, mailto: 'x' } }],
    set: 0,
    remove: 0,
  },
  { because: 'another schedule', current: [{ ...job, schedule: 'sat 02:00' }], set: 1, remove: 0 },
  { because: 'a machine came', current: [{ ...job, what: { vmids: [3000] } }], set: 1, remove: 0 },
  { because: 'a pool in its place', current: [{ ...job, what: { pool: 'dev' } }], set: 1, remove: 0 },
  {
    because: 'another number kept',
    current: [{ ...job, settings: { ...job.settings, 'prune-backups': 'keep-last=9' } }],
    set: 1,
    remove: 0,
  },
  { because: 'switched off by hand', current: [{ ...job, enabled: false }], set: 1, remove: 0 },
])('$because: $set to set, $remove to remove', ({ current, set, remove }) => {
  const changes = compareJobs('dev', desired, current)
  expect([changes.set.length, changes.remove.length]).toEqual([set, remove])
})

test('when nothing is asked for any more, our job goes, and only ours', () => {
  expect(compareJobs('dev', [], [job, foreign, ofAnother])).toEqual({ set: [], remove: ['ichor-dev-machines'] })
})
