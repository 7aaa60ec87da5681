import { defineNote } from './define-note.js'

export const largerDisk = defineNote({
  code: 'ICH0130',
  name: 'A disk stays larger than in the inventory',
  severity: 'info',
  detail: 'A run that replaces machines leaves the disks of the others as they are.',
})
