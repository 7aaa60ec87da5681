import { building, changing, defineRefusal, every, resolving } from './define-refusal.js'

export const unknownHost = defineRefusal({
  code: 'ICH0151',
  name: 'The inventory names a host that Proxmox does not have',
  phase: 'inventory',
  blocks: resolving,
  detail: 'A misspelt host would leave its machines to the others.',
})

export const missingStorage = defineRefusal({
  code: 'ICH0162',
  name: 'The inventory names a storage that Proxmox does not have, or that does not allow the content',
  phase: 'inventory',
  blocks: building,
  detail: 'Disks, images and backups need a storage that exists and allows their type of content.',
})

export const missingBridge = defineRefusal({
  code: 'ICH0163',
  name: 'A host does not have a bridge that the inventory names',
  phase: 'inventory',
  blocks: building,
  detail: 'QEMU does not start a VM whose bridge does not exist.',
})

export const missingMapping = defineRefusal({
  code: 'ICH0164',
  name: 'The inventory names a PCI mapping that Proxmox does not have',
  phase: 'inventory',
  blocks: resolving,
  detail: 'A device is passed through by the name of its resource mapping.',
})

export const otherPodNetwork = defineRefusal({
  code: 'ICH0165',
  name: 'The pod network of a running cluster changes',
  phase: 'before-plan',
  blocks: building,
  detail: 'Pods keep the network that they started with, and the new one cannot reach them.',
})

export const unknownNetwork = defineRefusal({
  code: 'ICH0152',
  name: 'The network of the nodes is not known',
  phase: 'inventory',
  blocks: resolving,
  detail: 'Without network.cidr, prefix and gateway are those of the bridge on a host; they are never guessed.',
})

export const otherRole = defineRefusal({
  code: 'ICH0153',
  name: 'A machine changes its role',
  phase: 'before-plan',
  blocks: building,
  detail: 'Talos installs a machine for one role: a control plane has an etcd member to remove, a worker has none.',
})

export const otherAddress = defineRefusal({
  code: 'ICH0154',
  name: 'The address of an existing machine changes',
  phase: 'before-plan',
  blocks: building,
  detail:
    'Certificates, etcd and clients know a machine by its address: a changed config alone would make it unreachable.',
})

export const otherNetwork = defineRefusal({
  code: 'ICH0155',
  name: 'The networks of an existing cluster change',
  phase: 'before-plan',
  blocks: building,
  detail:
    'Nodes, services and certificates use addresses and names from these networks, and Kubernetes cannot change them later.',
})

export const shrinkingDisk = defineRefusal({
  code: 'ICH0156',
  name: 'A disk is smaller in the inventory than in Proxmox',
  phase: 'before-plan',
  blocks: ['up'],
  detail: 'Proxmox cannot shrink a disk.',
})

export const missingMedium = defineRefusal({
  code: 'ICH0157',
  name: 'An ISO image that the inventory names does not exist',
  phase: 'before-plan',
  blocks: building,
  detail: 'A medium that the user provides must exist before the first VM is created.',
})

export const unsecuredImage = defineRefusal({
  code: 'ICH0158',
  name: 'A new machine would boot without Secure Boot',
  phase: 'before-plan',
  blocks: building,
  detail: 'An image of Talos before 1.14 does not enrol the keys in the firmware.',
})

export const impossibleHa = defineRefusal({
  code: 'ICH0159',
  name: 'Proxmox HA cannot work as the inventory has it',
  phase: 'before-plan',
  blocks: building,
  detail: 'HA restarts a machine on another host, so that another host must exist and reach its disks.',
})

export const protectedMachine = defineRefusal({
  code: 'ICH0160',
  name: 'A protected machine would be deleted',
  phase: 'before-plan',
  blocks: changing,
  detail: 'The inventory protects it with protect.',
})

export const lostDataDisk = defineRefusal({
  code: 'ICH0161',
  name: 'An old config cannot find its data disks on this machine type',
  phase: 'placement',
  blocks: resolving,
  detail:
    'Machine version 10.0 of QEMU has renamed the links by which configs of Talos 1.8 and 1.9 find their data disks.',
})

export const deepPool = defineRefusal({
  code: 'ICH0166',
  name: 'The pool is nested too deep',
  phase: 'in-plan',
  blocks: every,
  detail: 'Proxmox allows three levels, and the lease is a pool inside it.',
})
