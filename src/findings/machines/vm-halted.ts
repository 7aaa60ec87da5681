import { isCrashed } from '../../vm/crashed.js'
import { defineFinding } from '../define-finding.js'

export const vmHalted = defineFinding({
  code: 'ICH0304',
  name: 'QEMU has paused a VM',
  severity: 'blocks',
  needs: ['proxmox', 'talos'],
  *find({ observed: { machines } }) {
    for (const { name, host, vmid, talos } of machines) {
      if (talos.reach !== 'silent' || talos.halted === undefined) continue
      yield {
        subject: { kind: 'machine', name },
        title: `The processors of ${name} are paused: ${talos.halted}.`,
        detail: `VM ${vmid} on host ${host} does nothing until it is resumed or restarted.`,
        cure: isCrashed(talos.halted)
          ? { text: 'Stop and start it.', command: 'ichor up' }
          : { text: `Free space on its storage, then resume VM ${vmid} in Proxmox.` },
      }
    }
  },
})
