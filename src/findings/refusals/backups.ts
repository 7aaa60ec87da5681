import { defineRefusal } from './define-refusal.js'

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
