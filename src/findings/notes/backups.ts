import { defineNote } from './define-note.js'

export const lostSince = defineNote({
  code: 'ICH0930',
  name: 'A restore loses what came after the snapshot',
  severity: 'warns',
  detail: 'A restore puts all objects back to the time of the snapshot.',
})

export const silentStore = defineNote({
  code: 'ICH0931',
  name: 'The store of snapshots does not answer before a run that needs it',
  severity: 'warns',
  detail: 'The run takes a snapshot of etcd, and stops there if the store does not answer then.',
})
