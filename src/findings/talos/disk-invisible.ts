import { ifSeen } from '../../cluster/seen.js'
import { parseDisk } from '../../proxmox/model/options/disk.js'
import { defineFinding } from '../define-finding.js'

const diskSlot = /^(scsi|virtio|sata|ide)\d+$/

/** With `virtio-scsi-single`, disks that are added to a running machine may not appear. */
export const diskInvisible = defineFinding({
  code: 'ICH0403',
  name: 'A node does not see one of its disks',
  severity: 'warns',
  needs: ['examined.machines'],
  *find({ observed, examined }) {
    for (const { name, disks } of examined?.machines ?? []) {
      const machine = observed.machines.find((one) => one.name === name)
      const seen = ifSeen(disks)
      if (machine === undefined || seen === undefined) continue
      const slots = Object.keys(machine.options).filter(
        (slot) =>
          diskSlot.test(slot) &&
          !machine.pending.includes(slot) &&
          parseDisk(machine.options[slot] ?? '').media !== 'cdrom',
      )
      if (seen.length >= slots.length) continue
      yield {
        subject: { kind: 'machine', name },
        title: `${name} has ${slots.length} disks in Proxmox and sees ${seen.length}.`,
        detail: `Proxmox: ${slots.join(', ')}. Node: ${seen.map(({ path }) => path).join(', ') || 'none'}. The controller is ${machine.options.scsihw ?? 'lsi'}.`,
        cure: { text: 'Start it again; vm.scsihw should be virtio-scsi-pci.', command: `ichor reboot ${name}` },
      }
    }
  },
})
