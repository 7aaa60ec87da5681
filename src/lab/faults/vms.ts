import { defineEnd, defineFault } from './define-fault.js'

export const failStart = defineFault({
  name: 'fail-start',
  subject: 'VM',
  effect: 'QEMU exits with code 1 whenever it is started',
  needs: ['vmid'],
  run: ({ proxmox }, { vmid }) => proxmox.trouble.failStarts(vmid),
  end: defineEnd({
    name: 'allow-start',
    needs: ['vmid'],
    run: ({ proxmox }, { vmid }) => proxmox.trouble.failStarts(vmid, false),
  }),
})

export const removeVmFile = defineFault({
  name: 'remove-vm-file',
  subject: 'VM',
  effect: 'root removes the file of a stopped VM from the cluster file system; its disks are kept',
  needs: ['vmid'],
  end: 'permanent',
  run: ({ proxmox }, { vmid }) => proxmox.trouble.removeVmFile(vmid),
})

export const unlockVm = defineFault({
  name: 'unlock-vm',
  subject: 'VM',
  effect: 'root runs `qm unlock`: a lock that a killed worker left is removed',
  needs: ['vmid'],
  end: 'permanent',
  run: ({ proxmox }, { vmid }) => proxmox.trouble.unlockVm(vmid),
})
