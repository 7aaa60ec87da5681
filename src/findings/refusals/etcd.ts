import { building, defineRefusal } from './define-refusal.js'

export const evenControlPlanes = defineRefusal({
  code: 'ICH0550',
  name: 'The number of control planes is even',
  phase: 'inventory',
  blocks: ['up'],
  detail: 'An even number of members survives no more failures than one fewer.',
})

export const tooFewControlPlanes = defineRefusal({
  code: 'ICH0551',
  name: 'Too few control planes would stay',
  phase: 'before-plan',
  blocks: building,
  detail: 'The members that stay must be an odd number, and a majority of the members of today, or all healthy.',
})

export const unreachableMajority = defineRefusal({
  code: 'ICH0552',
  name: 'The majority of etcd is on hosts that cannot be reached',
  phase: 'in-plan',
  blocks: ['up'],
  detail: 'Nothing can be checked or repaired through Kubernetes, and these machines may restore it.',
})

export const lostMajority = defineRefusal({
  code: 'ICH0553',
  name: 'The members that are left cannot elect a leader',
  phase: 'in-plan',
  blocks: ['up'],
  detail: 'Nothing can be done through etcd, whatever is started.',
})

export const memberMustStay = defineRefusal({
  code: 'ICH0554',
  name: 'A control plane cannot leave now',
  phase: 'in-plan',
  blocks: ['up'],
  detail: 'A running member leaves only while those that stay are healthy, a lost one while they have a majority.',
})

export const onlyMember = defineRefusal({
  code: 'ICH0555',
  name: 'The only member of etcd cannot be replaced',
  phase: 'in-plan',
  blocks: ['up'],
  detail: 'What etcd holds would be lost with it.',
})

export const etcdOnceMore = defineRefusal({
  code: 'ICH0556',
  name: 'etcd existed before, and no control plane has its data',
  phase: 'in-plan',
  blocks: building,
  detail: 'A new, empty etcd would lose everything.',
})

export const oldEtcdReturned = defineRefusal({
  code: 'ICH0557',
  name: 'Machines returned with the etcd from before a restore',
  phase: 'in-plan',
  blocks: building,
  detail: 'They are deleted only while the restored etcd is healthy.',
})
