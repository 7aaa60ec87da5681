import { defineNote } from './define-note.js'

export const perhapsNoNode = defineNote({
  code: 'ICH0730',
  name: 'The pods of an addon may find no node',
  severity: 'warns',
  detail: 'What a chart of others tolerates is known to itself alone.',
})
