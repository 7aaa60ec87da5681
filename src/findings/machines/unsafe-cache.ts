import { parseDisk } from '../../proxmox/model/options/disk.js'
import { defineFinding } from '../define-finding.js'

/** Only `unsafe` ignores flushes; `writeback` honours them. */
export const unsafeCache = defineFinding({
  code: 'ICH0323',
  name: 'A disk ignores flushes',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ observed: { machines } }) {
    for (const { name, mark, options } of machines) {
      const slots = Object.keys(options).filter(
        (slot) => /^(scsi|virtio|sata|ide)\d+$/.test(slot) && parseDisk(options[slot] ?? '').cache === 'unsafe',
      )
      if (slots.length === 0) continue
      yield {
        severity: mark.role === 'controlplane' ? 'blocks' : 'warns',
        subject: { kind: 'machine', name },
        title: `${slots.join(', ')} of ${name} ${slots.length === 1 ? 'has' : 'have'} the cache mode unsafe.`,
        detail: 'What etcd and databases believe to be written is lost when the host loses power.',
        cure: { text: 'Remove vm.disk.cache: unsafe.', command: 'ichor up' },
      }
    }
  },
})
