import { defineFinding } from '../define-finding.js'

export const hostInMaintenance = defineFinding({
  code: 'ICH0211',
  name: 'A host is in maintenance mode',
  severity: 'info',
  needs: ['proxmox'],
  *find({ observed: { proxmox, machines } }) {
    for (const { name, maintenance, online } of proxmox.hosts) {
      const there = machines.filter(({ host }) => host === name).map((machine) => machine.name)
      if (!maintenance || !online || there.length === 0) continue
      yield {
        subject: { kind: 'host', name },
        title: `Host ${name} is in HA maintenance mode and holds ${there.join(', ')}.`,
        detail: 'Proxmox HA moves its machines away, and brings nothing to it.',
        cure: { text: `Once the work is done, as root: ha-manager crm-command node-maintenance disable ${name}` },
      }
    }
  },
})
