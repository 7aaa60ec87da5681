import { defineRefusal, every } from './define-refusal.js'

export const blockedEviction = defineRefusal({
  code: 'ICH0650',
  name: 'A disruption budget does not let a pod go',
  phase: 'in-plan',
  blocks: every,
  detail: 'Deleting the pod would break what its owner promised.',
})
