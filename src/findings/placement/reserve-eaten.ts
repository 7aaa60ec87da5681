import { sizeText } from '../../cluster/size-text.js'
import { defineFinding } from '../define-finding.js'

export const reserveEaten = defineFinding({
  code: 'ICH1006',
  name: 'The reserve of a host is used',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ inventory, observed: { proxmox } }) {
    const { reserve } = inventory.settings
    for (const { name, memory, online } of proxmox.hosts) {
      const kept = (reserve[name] ?? reserve['*'])?.ram
      if (kept === undefined || memory === undefined || !online) continue
      const guests = proxmox.guests.filter(({ host, status }) => host === name && status === 'running')
      const free = memory - guests.reduce((sum, guest) => sum + guest.memory, 0)
      if (free >= kept) continue
      yield {
        subject: { kind: 'host', name },
        title: `Host ${name} should keep ${sizeText(kept)} free, and its guests leave ${free > 0 ? sizeText(free) : 'nothing'}.`,
        detail: `It has ${sizeText(memory)}: ${guests.map((guest) => `${guest.name ?? guest.vmid} ${sizeText(guest.memory)}`).join(', ')}.`,
        cure: { text: 'Make a guest smaller, move a machine, or lower the reserve.' },
      }
    }
  },
})
