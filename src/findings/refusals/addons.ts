import { defineRefusal, every } from './define-refusal.js'

export const uselessPolicies = defineRefusal({
  code: 'ICH0750',
  name: 'NetworkPolicies would protect nothing',
  phase: 'inventory',
  blocks: ['up'],
  detail: 'Flannel ignores them.',
})

export const volumeless = defineRefusal({
  code: 'ICH0752',
  name: 'An addon needs volumes, and nothing provides them',
  phase: 'before-plan',
  blocks: ['up'],
  detail: 'Its pods would wait for a volume until the installation fails.',
})

export const addonRing = defineRefusal({
  code: 'ICH0751',
  name: 'Addons wait for each other',
  phase: 'inventory',
  blocks: ['up'],
  detail: 'None of them could be installed first.',
})

export const noNodeForPods = defineRefusal({
  code: 'ICH0753',
  name: 'No node takes the pods of an addon',
  phase: 'before-plan',
  blocks: ['up'],
  detail: 'They would wait for a node until the installation fails.',
})

export const lastReplica = defineRefusal({
  code: 'ICH0754',
  name: 'A volume of Longhorn has no other healthy replica',
  phase: 'in-plan',
  blocks: every,
  detail: 'Its data would be lost with the machine.',
})
