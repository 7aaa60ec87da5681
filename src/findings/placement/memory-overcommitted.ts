import { groupBy } from '../../cluster/lookup.js'
import { sizeText } from '../../cluster/size-text.js'
import { defineFinding } from '../define-finding.js'

/** Other guests as well: all guests share the memory of the host. */
export const memoryOvercommitted = defineFinding({
  code: 'ICH1003',
  name: 'A host has promised more memory than it has',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ observed: { machines, proxmox } }) {
    const running = proxmox.guests.filter(({ status }) => status === 'running')
    for (const [name, guests] of groupBy(running, ({ host }) => host)) {
      const host = proxmox.hosts.find((one) => one.name === name)
      const promised = guests.reduce((sum, { memory }) => sum + memory, 0)
      const holdsOurs = machines.some((machine) => machine.host === name)
      if (host?.memory === undefined || !holdsOurs || promised <= host.memory) continue
      yield {
        severity: (host.memoryUsed ?? 0) > host.memory * 0.9 ? 'warns' : 'info',
        subject: { kind: 'host', name },
        title: `The ${guests.length} running guests of host ${name} may use ${sizeText(promised)}, and it has ${sizeText(host.memory)}.`,
        detail: 'If they use it, Linux kills one of them.',
        cure: { text: 'Move or stop a guest, or give one less memory.' },
      }
    }
  },
})
