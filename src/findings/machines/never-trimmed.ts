import { parseDisk } from '../../proxmox/model/options/disk.js'
import { seedSerial } from '../../vm/seed.js'
import { defineFinding } from '../define-finding.js'

const thinTypes = new Set(['lvmthin', 'zfspool', 'rbd'])
const diskSlot = /^(scsi|virtio|sata|ide)\d+$/

export const neverTrimmed = defineFinding({
  code: 'ICH0321',
  name: 'Deleted data keeps its space on a thin storage',
  severity: 'info',
  needs: ['proxmox'],
  *find({ observed: { machines, proxmox } }) {
    for (const { name, host, options } of machines) {
      const slots = Object.keys(options).filter((slot) => {
        const { volume = '', media, discard, serial } = parseDisk(options[slot] ?? '')
        const storage = proxmox.storages.find((one) => one.host === host && volume.startsWith(`${one.storage}:`))
        const isThin = storage !== undefined && thinTypes.has(storage.type)
        return diskSlot.test(slot) && media !== 'cdrom' && isThin && discard !== true && serial !== seedSerial
      })
      if (slots.length === 0) continue
      yield {
        subject: { kind: 'machine', name },
        title: `${slots.join(', ')} of ${name} ${slots.length === 1 ? 'passes' : 'pass'} no discards on.`,
        detail: 'What the node deletes stays allocated on its thin storage, which only ever grows.',
        cure: { text: 'Set vm.disk.discard to true.', command: 'ichor up' },
      }
    }
  },
})
