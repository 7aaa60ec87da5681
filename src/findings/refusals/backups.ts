import { defineRefusal, every } from './define-refusal.js'

export const unfinishedRestore = defineRefusal({
  code: 'ICH0950',
  name: 'A restore of etcd is not finished',
  phase: 'before-plan',
  blocks: ['up'],
  detail: 'Nothing is built on an etcd that is being replaced.',
})

export const otherRestore = defineRefusal({
  code: 'ICH0951',
  name: 'Another snapshot is being restored',
  phase: 'before-plan',
  blocks: ['restore', 'drill'],
  detail: 'Members restored from different snapshots are never mixed.',
})

export const mayReturn = defineRefusal({
  code: 'ICH0952',
  name: 'Old control planes may return',
  phase: 'before-plan',
  blocks: ['restore', 'drill'],
  detail: 'Two old members that return later would be a majority of the old cluster.',
})

export const healthyEtcd = defineRefusal({
  code: 'ICH0953',
  name: 'A restore would replace an etcd that works',
  phase: 'before-plan',
  blocks: ['restore', 'drill'],
  detail: 'What was written since the snapshot would be lost.',
})

export const maybeHealthyEtcd = defineRefusal({
  code: 'ICH0954',
  name: 'etcd may be healthy, and cannot be seen',
  phase: 'before-plan',
  blocks: ['restore', 'drill'],
  detail: 'Control planes that run and do not answer may be a majority among themselves.',
})

export const unsavedEtcd = defineRefusal({
  code: 'ICH0955',
  name: 'What etcd holds now cannot be saved',
  phase: 'before-plan',
  blocks: ['restore', 'drill'],
  detail: 'Data that cannot be read is lost with its VM.',
})

export const noLastSnapshot = defineRefusal({
  code: 'ICH0956',
  name: 'A snapshot before the shutdown cannot be taken',
  phase: 'before-plan',
  blocks: ['shutdown'],
  detail: 'A machine may not come back, and then nothing newer than the last snapshot is left.',
})

export const noRecordOfRestore = defineRefusal({
  code: 'ICH0957',
  name: 'The secrets have no record of this restore',
  phase: 'in-plan',
  blocks: every,
  detail: 'What a killed restore left is found by its record.',
})

export const noRecipient = defineRefusal({
  code: 'ICH0958',
  name: 'No age recipient is configured for snapshots',
  phase: 'in-plan',
  blocks: every,
  detail: 'A snapshot holds every Secret of the cluster, and is never written unencrypted.',
})

export const rawCopy = defineRefusal({
  code: 'ICH0959',
  name: 'A snapshot has no hash',
  phase: 'in-plan',
  blocks: every,
  detail: 'A copy of the database file may have been taken while it was written.',
})

export const nothingToBackUp = defineRefusal({
  code: 'ICH0960',
  name: 'The cluster has no secrets to back up with',
  phase: 'in-plan',
  blocks: every,
  detail: 'Without its secrets no snapshot can be decrypted.',
})
