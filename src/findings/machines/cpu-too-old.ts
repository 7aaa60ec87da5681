import { parseCpu } from '../../proxmox/model/options/hardware.js'
import { defineFinding } from '../define-finding.js'

/** Talos needs x86-64-v2 and panics without it. */
const tooOld = new Set(['kvm64', 'qemu64', '486', 'pentium', 'pentium2', 'pentium3', 'coreduo', 'athlon'])

export const cpuTooOld = defineFinding({
  code: 'ICH0307',
  name: 'The CPU type is too old for Talos',
  severity: 'blocks',
  needs: ['proxmox'],
  *find({ observed: { machines } }) {
    for (const { name, vmid, options } of machines) {
      const { type = 'kvm64' } = parseCpu(options.cpu ?? '')
      if (!tooOld.has(type)) continue
      yield {
        subject: { kind: 'machine', name },
        title: `${name} has the CPU type ${type}, with which Talos does not boot.`,
        detail: `Talos needs x86-64-v2 or later. VM ${vmid} boots again and again.`,
        cure: { text: 'Set vm.cpu_type to x86-64-v2-AES or host in the inventory.', command: 'ichor up' },
      }
    }
  },
})
