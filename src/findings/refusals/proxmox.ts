import { building, changing, defineRefusal, every, removing, resolving } from './define-refusal.js'

export const lostQuorum = defineRefusal({
  code: 'ICH0250',
  name: 'Proxmox accepts no changes',
  phase: 'in-plan',
  blocks: every,
  detail: 'Proxmox takes half a minute to refuse each change.',
})

export const oldProxmox = defineRefusal({
  code: 'ICH0251',
  name: 'Proxmox VE is too old',
  phase: 'inventory',
  blocks: resolving,
  detail: 'A call of a later version would fail halfway through the run.',
})

export const lockedVm = defineRefusal({
  code: 'ICH0252',
  name: 'A VM that would be changed is locked',
  phase: 'in-plan',
  blocks: every,
  detail: 'Proxmox would refuse the change after the node was drained.',
})

export const protectedVm = defineRefusal({
  code: 'ICH0253',
  name: 'A VM that would be deleted is protected in Proxmox',
  phase: 'before-plan',
  blocks: changing,
  detail: 'Deleting nothing is better than deleting all but one.',
})

export const protectedTemplate = defineRefusal({
  code: 'ICH0258',
  name: 'A template that would be deleted is protected in Proxmox',
  phase: 'before-plan',
  blocks: removing,
  detail: 'Deleting nothing is better than deleting all but one.',
})

export const hiddenLeftover = defineRefusal({
  code: 'ICH0254',
  name: 'Something of the cluster might stay behind',
  phase: 'before-plan',
  blocks: removing,
  detail: 'What cannot be read cannot be deleted, and would stay without an owner.',
})

export const unreadTemplate = defineRefusal({
  code: 'ICH0255',
  name: 'A template may exist and cannot be read',
  phase: 'in-plan',
  blocks: building,
  detail: 'It would be created twice.',
})

export const lostHostLives = defineRefusal({
  code: 'ICH0256',
  name: 'A host that is called lost is not',
  phase: 'inventory',
  blocks: ['up'],
  detail: 'A host that is only cut off keeps running its VMs: the same machine would run twice.',
})

export const lostHostListed = defineRefusal({
  code: 'ICH0257',
  name: 'Proxmox still lists the VMs of a lost host',
  phase: 'in-plan',
  blocks: ['up'],
  detail: 'Their VMIDs stay taken until root removes the files.',
})

export const otherTime = defineRefusal({
  code: 'ICH0259',
  name: 'This computer and Proxmox differ in time',
  phase: 'inventory',
  blocks: resolving,
  detail: 'Certificates that are made here would not be valid yet, or no longer, on the nodes.',
})

export const boundVm = defineRefusal({
  code: 'ICH0260',
  name: 'A VM cannot be moved to another host',
  phase: 'in-plan',
  blocks: every,
  detail: 'Proxmox refuses it with these devices, disks or rules.',
})

export const boundVolumes = defineRefusal({
  code: 'ICH0261',
  name: 'Volumes in use are bound to a host',
  phase: 'in-plan',
  blocks: every,
  detail: 'Nodes on other hosts cannot reach them.',
})

export const hiddenPool = defineRefusal({
  code: 'ICH0262',
  name: 'The token cannot see the pool',
  phase: 'in-plan',
  blocks: every,
  detail: 'The lease is a pool inside it.',
})

export const poolInUse = defineRefusal({
  code: 'ICH0263',
  name: 'The pool of the cluster is not empty',
  phase: 'in-plan',
  blocks: every,
  detail: 'What is in it belongs to others.',
})
