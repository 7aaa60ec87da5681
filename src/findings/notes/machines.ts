import { defineNote } from './define-note.js'

export const pausedVm = defineNote({
  code: 'ICH0304',
  name: 'QEMU has paused a VM',
  severity: 'blocks',
  detail: 'It does nothing until it is resumed or restarted.',
})

export const unprovenVm = defineNote({
  code: 'ICH0305',
  name: 'A VM looks like ours and is not proven',
  severity: 'info',
  detail: 'ichor never changes a VM that it cannot prove to be its own.',
})

export const staleLock = defineNote({
  code: 'ICH0309',
  name: 'A VM is locked in Proxmox',
  severity: 'warns',
  detail: 'A plan waits for migrations: a lock that is left was left by one that was killed.',
})

export const surgeUnused = defineNote({
  code: 'ICH0330',
  name: 'Machines of a pool with surge are replaced under the same name',
  severity: 'info',
  detail: 'Surge gives a machine a new number in the inventory, and up does not edit the inventory.',
})

export const offMachine = defineNote({
  code: 'ICH0331',
  name: 'The config of a machine that is off is not known',
  severity: 'info',
  detail: 'The consent to the plan covers the changes that its config turns out to need.',
})

export const withoutStartup = defineNote({
  code: 'ICH0332',
  name: 'A guest gets no order at host start',
  severity: 'info',
  detail: 'Only an administrator may set it.',
})

export const unreadConfig = defineNote({
  code: 'ICH0333',
  name: 'The config of an adopted machine was never read',
  severity: 'info',
  detail: 'What is not known is not changed.',
})

export const surplusDisk = defineNote({
  code: 'ICH0334',
  name: 'A machine has a disk that is not in the inventory',
  severity: 'info',
  detail: 'Data is never deleted because a line was removed from the inventory.',
})

export const surplusHardware = defineNote({
  code: 'ICH0335',
  name: 'A machine has hardware that is no longer in the inventory',
  severity: 'info',
  detail: 'Proxmox cannot take it from an existing VM without harm.',
})
