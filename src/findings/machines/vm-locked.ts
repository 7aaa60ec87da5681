import { defineFinding } from '../define-finding.js'

export const vmLocked = defineFinding({
  code: 'ICH0309',
  name: 'A VM is locked in Proxmox',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ observed: { machines } }) {
    for (const { name, host, vmid, lock } of machines) {
      if (lock === undefined) continue
      yield {
        subject: { kind: 'machine', name },
        title: `The VM of ${name} is locked by Proxmox: ${lock}.`,
        detail: `Until the task ends, VM ${vmid} on host ${host} cannot be changed.`,
        cure: { text: `Wait for the task. If none runs on ${host}: qm unlock ${vmid} on that host, as root.` },
      }
    }
  },
})
