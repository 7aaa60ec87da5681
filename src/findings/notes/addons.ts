import { defineNote } from './define-note.js'

export const perhapsNoNode = defineNote({
  code: 'ICH0730',
  name: 'The pods of an addon may find no node',
  severity: 'warns',
  detail: 'What a chart of others tolerates is known to itself alone.',
})

export const silentRepository = defineNote({
  code: 'ICH0731',
  name: 'A chart repository does not answer',
  severity: 'warns',
  detail: 'The nodes fetch charts from there, too, perhaps another way.',
})
