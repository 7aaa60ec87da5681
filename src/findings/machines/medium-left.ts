import { parseBoot } from '../../proxmox/model/options/boot.js'
import { parseDisk } from '../../proxmox/model/options/disk.js'
import { defineFinding } from '../define-finding.js'

/** A machine that is installed boots from its disk, and needs no medium. */
export const mediumLeft = defineFinding({
  code: 'ICH0306',
  name: 'An installation medium is still attached',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ observed: { machines }, inventory }) {
    for (const { name, host, vmid, mark, options } of machines) {
      if (mark.stage !== 'made') continue
      for (const device of parseBoot(options.boot ?? '')) {
        const { media, volume = 'none' } = parseDisk(options[device] ?? '')
        if (media !== 'cdrom' || volume === 'none') continue
        const isKept = inventory.machines.find((one) => one.name === name)?.adopted?.keep.includes(device) === true
        yield {
          subject: { kind: 'machine', name },
          title: `${name} may boot from ${volume} instead of its disk.`,
          detail: `The medium is in drive ${device} of VM ${vmid} on host ${host}, which is in the boot order.`,
          cure: isKept
            ? { text: `Take ${device} out of adopted.keep of ${name} in the inventory, then run ichor up.` }
            : { text: 'Detach it.', command: 'ichor up' },
        }
      }
    }
  },
})
