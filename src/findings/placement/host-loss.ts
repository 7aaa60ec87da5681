import { factsFrom } from '../../desired/places.js'
import { refitWithout } from '../../placement/lose.js'
import { defineFinding } from '../define-finding.js'

/** The majority of etcd has a finding of its own. Machines that are pinned to the host are not meant to move. */
export const hostLoss = defineFinding({
  code: 'ICH1001',
  name: 'The machines of a host fit nowhere else',
  severity: 'info',
  needs: ['proxmox'],
  *find({ inventory, observed }) {
    const hostOf = new Map(observed.machines.map(({ name, host }) => [name, host]))
    const online = observed.proxmox.hosts.filter((host) => host.online)
    if (online.length < 2 || inventory.machines.some(({ name }) => !hostOf.has(name))) return
    for (const { name, memory } of online) {
      const isPinned = inventory.machines.some(({ host }) => host === name)
      if (memory === undefined || isPinned || ![...hostOf.values()].includes(name)) continue
      const { fits, reason } = refitWithout(inventory, factsFrom(observed), hostOf, name)
      if (fits !== false) continue
      yield {
        subject: { kind: 'host', name },
        title: `If host ${name} is lost, its machines do not fit on the others.`,
        detail: reason,
        cure: { text: 'Free memory on the others, or accept it.', command: `ichor capacity --live --lose ${name}` },
      }
    }
  },
})
