import { building, changing, defineRefusal, every } from './define-refusal.js'

export const lostMark = defineRefusal({
  code: 'ICH0350',
  name: 'A VM has lost the mark of ichor',
  phase: 'before-plan',
  blocks: building,
  detail: 'A VM without its mark, UUID or MAC may belong to something else, and is never changed.',
})

export const foreignMark = defineRefusal({
  code: 'ICH0351',
  name: 'A VM of another cluster has an identity of this one',
  phase: 'before-plan',
  blocks: building,
  detail: 'Its owner is not known, so it is never changed.',
})

export const anotherPool = defineRefusal({
  code: 'ICH0352',
  name: 'A VM of this cluster is in another pool',
  phase: 'before-plan',
  blocks: [...changing, 'shutdown'],
  detail: 'The VM was moved, or the cluster name is misspelt.',
})

export const detachedSystem = defineRefusal({
  code: 'ICH0353',
  name: 'The system disk of a machine is detached',
  phase: 'before-plan',
  blocks: building,
  detail: 'The data on a detached disk still exists, so that no empty disk takes its place.',
})

export const convertedVm = defineRefusal({
  code: 'ICH0354',
  name: 'The VM of a machine was converted to a template',
  phase: 'before-plan',
  blocks: building,
  detail: 'A template cannot start.',
})

export const duplicateVm = defineRefusal({
  code: 'ICH0355',
  name: 'Another VM has the identity of a machine',
  phase: 'in-plan',
  blocks: building,
  detail: 'Two VMs with the same UUID or MAC address would be the same machine twice.',
})

export const hiddenVm = defineRefusal({
  code: 'ICH0356',
  name: 'The VM of a machine may be hidden from the token',
  phase: 'in-plan',
  blocks: building,
  detail: 'A VM that was removed from the pool or moved would be created a second time.',
})

export const stillThere = defineRefusal({
  code: 'ICH0357',
  name: 'Machines of a removed cluster still exist',
  phase: 'in-plan',
  blocks: ['access'],
  detail: 'Rules and groups of the firewall protect them until they are gone.',
})

export const unknownEndpoint = defineRefusal({
  code: 'ICH0358',
  name: 'The endpoint of the cluster is not known',
  phase: 'in-plan',
  blocks: ['up'],
  detail: 'Without it the cluster cannot be compared with its inventory, so that an empty plan would mean nothing.',
})

export const goneHost = defineRefusal({
  code: 'ICH0359',
  name: 'A machine to be replaced is on a host that does not answer',
  phase: 'inventory',
  blocks: ['up'],
  detail: 'Its VM cannot be deleted, and may still run.',
})

export const otherMachineAnswers = defineRefusal({
  code: 'ICH0360',
  name: 'Another machine answers in the place of one of ours',
  phase: 'in-plan',
  blocks: every,
  detail: 'A step reaches a machine only after it has proven itself by its UUID.',
})

export const longNotes = defineRefusal({
  code: 'ICH0361',
  name: 'The notes of a VM are too long',
  phase: 'in-plan',
  blocks: every,
  detail: 'The mark of ichor is a block in the notes, and Proxmox limits their length.',
})

export const unreadableVm = defineRefusal({
  code: 'ICH0362',
  name: 'A VM is listed and cannot be read',
  phase: 'in-plan',
  blocks: every,
  detail: 'It may be migrating.',
})

export const goneVm = defineRefusal({
  code: 'ICH0363',
  name: 'The VM of a machine is gone or no longer proven',
  phase: 'in-plan',
  blocks: every,
  detail: 'A step changes a VM only after its mark, UUID and MAC are checked.',
})

export const notDescribed = defineRefusal({
  code: 'ICH0364',
  name: 'Not everything that runs can be written down',
  phase: 'in-plan',
  blocks: every,
  detail: 'With --strict, adopting a cluster leaves nothing out.',
})

export const guestStillRuns = defineRefusal({
  code: 'ICH0365',
  name: 'A guest did not shut down',
  phase: 'in-plan',
  blocks: every,
  detail: 'A guest that does not shut down may have work left.',
})

export const vmidTaken = defineRefusal({
  code: 'ICH0366',
  name: 'A VMID was taken during the run',
  phase: 'in-plan',
  blocks: every,
  detail: 'Another VM has it now.',
})

export const notAdopted = defineRefusal({
  code: 'ICH0367',
  name: 'A machine is not taken over',
  phase: 'in-plan',
  blocks: every,
  detail: 'Between the plan and the step, it has changed.',
})
