import { defineFinding } from '../define-finding.js'

export const notWherePinned = defineFinding({
  code: 'ICH1005',
  name: 'A machine is not on the host that it is pinned to',
  severity: 'info',
  needs: ['proxmox'],
  *find({ inventory, observed }) {
    for (const { name, host: wanted } of inventory.machines) {
      const host = observed.machines.find((one) => one.name === name)?.host
      if (wanted === undefined || host === undefined || host === wanted) continue
      yield {
        subject: { kind: 'machine', name },
        title: `${name} is pinned to host ${wanted} and runs on ${host}.`,
        detail: 'ichor does not move machines because of a pin.',
        cure: { text: 'Create it again on its host.', command: `ichor replace ${name}` },
      }
    }
  },
})
