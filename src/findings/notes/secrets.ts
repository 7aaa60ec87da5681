import { defineNote } from './define-note.js'

export const readableSeed = defineNote({
  code: 'ICH0830',
  name: 'Configs with keys pass through a storage that others use',
  severity: 'warns',
  detail: 'Until the import, users of that storage can read the keys of the cluster.',
})

export const rotationUnderWay = defineNote({
  code: 'ICH0831',
  name: 'A rotation is under way',
  severity: 'info',
  detail: 'Every run keeps the phase that it finds.',
})

export const keysPutBack = defineNote({
  code: 'ICH0832',
  name: 'A restore puts older keys back',
  severity: 'warns',
  detail: 'A snapshot can be read only with the keys of its time.',
})

export const forAdministrator = defineNote({
  code: 'ICH0833',
  name: 'A difference that only an administrator may change',
  severity: 'warns',
  detail: 'It needs Sys.Modify on /, which tokens of runs do not have.',
})
