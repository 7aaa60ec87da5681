import { defineFinding } from '../define-finding.js'

export const notWanted = defineFinding({
  code: 'ICH0316',
  name: 'A machine is not in the inventory',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ inventory, observed }) {
    const wanted = new Set(inventory.machines.map(({ name }) => name))
    for (const { name, host, vmid } of observed.machines) {
      if (wanted.has(name)) continue
      yield {
        subject: { kind: 'machine', name },
        title: `${name} is a machine of this cluster, and the inventory does not have it.`,
        detail: `VM ${vmid} on host ${host}. It was removed from the inventory, or a run was interrupted before it was deleted.`,
        cure: { text: 'Drain and delete it, after the plan was confirmed.', command: 'ichor up' },
      }
    }
  },
})
