import { defineNote } from './define-note.js'

export const sickMember = defineNote({
  code: 'ICH0505',
  name: 'An etcd member is not healthy',
  severity: 'blocks',
  detail: 'It does not come back by itself.',
})

export const lastMember = defineNote({
  code: 'ICH0530',
  name: 'etcd will have a single member',
  severity: 'warns',
  detail: 'One member tolerates no failure, as do two.',
})
