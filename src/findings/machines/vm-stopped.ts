import { shutdownNote } from '../../vm/shutdown-note.js'
import { defineFinding } from '../define-finding.js'
import { becauseShutDown } from '../runs/shut-down.js'

export const vmStopped = defineFinding({
  code: 'ICH0302',
  name: 'The VM of a machine is stopped',
  severity: 'blocks',
  needs: ['proxmox'],
  *find({ inventory, observed: { machines } }) {
    for (const { name, host, vmid, status, mark } of machines) {
      if (status !== 'stopped') continue
      yield {
        subject: { kind: 'machine', name },
        title: `The VM of ${name} is stopped.`,
        detail: `VM ${vmid} on host ${host}.`,
        cure: { text: 'Start it.', command: 'ichor up' },
        ...(shutdownNote(mark) === undefined ? {} : becauseShutDown(inventory.settings.cluster_name)),
      }
    }
  },
})
