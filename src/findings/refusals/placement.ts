import { building, defineRefusal, resolving } from './define-refusal.js'

export const noPlace = defineRefusal({
  code: 'ICH1050',
  name: 'Machines do not fit on the hosts',
  phase: 'placement',
  blocks: resolving,
  detail: 'Half of a cluster is of no use, so that nothing is created.',
})

export const crowdedGuest = defineRefusal({
  code: 'ICH1051',
  name: 'A guest does not fit on its host',
  phase: 'placement',
  blocks: resolving,
  detail: 'A guest needs capacity like a machine.',
})

export const crowdedGrowth = defineRefusal({
  code: 'ICH1052',
  name: 'A machine cannot grow on its host',
  phase: 'placement',
  blocks: resolving,
  detail: 'Existing machines stay on an overcommitted host, but none of them may grow there.',
})

export const fullStorage = defineRefusal({
  code: 'ICH1053',
  name: 'Disks would grow beyond the space of their storage',
  phase: 'before-plan',
  blocks: building,
  detail: 'A thin pool that is full stops every VM on it.',
})

export const noStorage = defineRefusal({
  code: 'ICH1054',
  name: 'A host has no storage for something',
  phase: 'placement',
  blocks: resolving,
  detail: 'Each host of a machine needs a storage for disks, and one for images or ISO images.',
})

export const contentNotAllowed = defineRefusal({
  code: 'ICH1055',
  name: 'A storage does not allow a type of content',
  phase: 'placement',
  blocks: resolving,
  detail: 'Proxmox refuses an upload of that type.',
})

export const fullRange = defineRefusal({
  code: 'ICH1056',
  name: 'A range of VMIDs is full',
  phase: 'placement',
  blocks: resolving,
  detail: 'VMIDs outside the range may belong to others.',
})

export const takenVmid = defineRefusal({
  code: 'ICH1057',
  name: 'A VMID of the inventory belongs to another guest',
  phase: 'placement',
  blocks: resolving,
  detail: 'Guests of others are never changed.',
})

export const takenAddress = defineRefusal({
  code: 'ICH1058',
  name: 'An address of the inventory is taken',
  phase: 'placement',
  blocks: resolving,
  detail: 'Two machines with one address disturb each other.',
})
