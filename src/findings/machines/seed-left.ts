import { seedSlots } from '../../vm/seed.js'
import { defineFinding } from '../define-finding.js'

export const seedLeft = defineFinding({
  code: 'ICH0322',
  name: 'The seed of an installed machine is still attached',
  severity: 'warns',
  needs: ['proxmox', 'talos'],
  *find({ observed: { machines } }) {
    for (const { name, host, vmid, mark, options, talos } of machines) {
      const slots = seedSlots(options)
      if (mark.stage !== 'made' || slots.length === 0 || talos.reach !== 'secured') continue
      yield {
        subject: { kind: 'machine', name },
        title: `The seed of ${name} is still in ${slots.join(', ')} of VM ${vmid}.`,
        detail: `It holds the keys of the cluster, readable with access to the storages of host ${host}.`,
        cure: { text: 'Detach and delete it.', command: 'ichor up' },
      }
    }
  },
})
