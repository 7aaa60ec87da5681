import { defineFinding } from '../define-finding.js'

export const waitsForRestart = defineFinding({
  code: 'ICH0318',
  name: 'Hardware changes wait for a cold start',
  severity: 'info',
  needs: ['proxmox'],
  *find({ observed: { machines } }) {
    for (const { name, host, vmid, pending, status } of machines) {
      if (pending.length === 0 || status === 'stopped') continue
      yield {
        subject: { kind: 'machine', name },
        title: `Changes of ${pending.join(', ')} take effect when ${name} is started again.`,
        detail: `VM ${vmid} on host ${host} runs with the old values.`,
        cure: { text: 'Drain it and start it again.', command: 'ichor up' },
      }
    }
  },
})
