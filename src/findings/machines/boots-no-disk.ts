import { parseBoot } from '../../proxmox/model/options/boot.js'
import { parseDisk } from '../../proxmox/model/options/disk.js'
import { defineFinding } from '../define-finding.js'

const diskSlot = /^(scsi|virtio|sata|ide)\d+$/

export const bootsNoDisk = defineFinding({
  code: 'ICH0319',
  name: 'A machine does not boot from a disk',
  severity: 'blocks',
  needs: ['proxmox'],
  *find({ observed: { machines } }) {
    for (const { name, host, vmid, mark, options } of machines) {
      const order = parseBoot(options.boot ?? '')
      const boots = order.some(
        (slot) => diskSlot.test(slot) && parseDisk(options[slot] ?? 'media=cdrom').media !== 'cdrom',
      )
      if (mark.stage !== 'made' || order.length === 0 || boots) continue
      yield {
        subject: { kind: 'machine', name },
        title: `No disk is in the boot order of ${name}: ${order.join(', ')}.`,
        detail: `VM ${vmid} on host ${host} does not come back from its next start.`,
        cure: { text: 'Put its system disk first.', command: 'ichor up' },
      }
    }
  },
})
