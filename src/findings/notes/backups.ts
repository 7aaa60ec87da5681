import { defineNote } from './define-note.js'

export const lostSince = defineNote({
  code: 'ICH0930',
  name: 'A restore loses what came after the snapshot',
  severity: 'warns',
  detail: 'A restore puts all objects back to the time of the snapshot.',
})
