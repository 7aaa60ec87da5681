import { expect, test } from 'vitest'
import { type BackedUpVm, desiredJob } from './backup-job.js'

const backups = { schedule: 'sun 02:00', datastore: 'pbs', keep: 3, guests: false, control_planes: false }
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
  { because: 'control planes on request', settings: { ...backups, control_planes: true }, vmids: [2000, 3000, 3001] },
  { because: 'guests, if asked for', settings: { ...backups, guests: true }, vmids: [400, 3000, 3001] },
])('$because: $vmids', ({ settings, vmids }) => {
  const job = desiredJob('dev', settings, vms)
  expect(job?.what).toEqual(vmids === undefined ? undefined : { vmids })
})

test('a cluster without anything to back up has no job', () => {
  expect(
    desiredJob(
      'dev',
      backups,
      vms.filter(({ vmid }) => vmid === 2000),
    ),
  ).toBeUndefined()
})

test('the job has everything that Proxmox needs', () => {
  expect(desiredJob('dev', backups, vms)).toEqual({
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
  })
})
