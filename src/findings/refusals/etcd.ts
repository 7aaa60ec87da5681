import { building, defineRefusal, every } from './define-refusal.js'

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

export const etcdDataThere = defineRefusal({
  code: 'ICH0558',
  name: 'A control plane may have etcd data already',
  phase: 'in-plan',
  blocks: every,
  detail: 'A new etcd beside an old one would be a second cluster.',
})

export const stillMember = defineRefusal({
  code: 'ICH0559',
  name: 'A machine is still a member of etcd',
  phase: 'in-plan',
  blocks: every,
  detail: 'A member that stopped permanently counts against the majority.',
})

export const memberNotRemovable = defineRefusal({
  code: 'ICH0560',
  name: 'An etcd member cannot be removed',
  phase: 'in-plan',
  blocks: every,
  detail: 'Only a member that does not respond is removed, and only by a majority.',
})

export const livingEtcd = defineRefusal({
  code: 'ICH0561',
  name: 'An etcd has a leader',
  phase: 'in-plan',
  blocks: every,
  detail: 'A new etcd would replace one that works.',
})

export const unseenEtcd = defineRefusal({
  code: 'ICH0562',
  name: 'None of the members of etcd answers',
  phase: 'in-plan',
  blocks: every,
  detail: 'Whether the majority is kept must be seen first.',
})

export const majorityAtRisk = defineRefusal({
  code: 'ICH0563',
  name: 'etcd would lose its majority without a machine',
  phase: 'in-plan',
  blocks: every,
  detail: 'Checked again right before the machine goes.',
})

export const oldEtcdRuns = defineRefusal({
  code: 'ICH0564',
  name: 'A control plane still has the old etcd',
  phase: 'in-plan',
  blocks: every,
  detail: 'Two etcds with the same members would be two clusters.',
})
