import type { Machine } from '../../cluster/machine.js'
import { votesLeft } from '../../cluster/votes-left.js'
import { machinesAway } from '../../desired/away.js'
import type { DesiredAway } from '../../desired/desired.js'
import { defineFinding } from '../define-finding.js'

const code = 'ICH0203'

/** The cause of everything that a machine on this host does not do. */
export function becauseOffline(host: string) {
  return { because: { code, subject: host } } as const
}

export const hostOffline = defineFinding({
  code,
  name: 'A host is offline',
  severity: 'blocks',
  needs: ['proxmox'],
  *find({ inventory, observed }) {
    const away = machinesAway(inventory.machines, observed)
    const votes = controlPlanesLeft(inventory.machines, away)
    for (const { name, online } of observed.proxmox.hosts) {
      const machines = away.filter(({ host }) => host === name).map(({ machine }) => machine.name)
      if (online || (machines.length === 0 && !inventory.settings.proxmox.target_nodes.includes(name))) continue
      yield {
        subject: { kind: 'host', name },
        title: `Host ${name} is offline${machines.length === 0 ? '' : ` and holds ${machines.join(', ')}`}.`,
        detail:
          machines.length === 0 ? 'It holds no machine of this cluster.' : `Its machines are lost or cut off.${votes}`,
        cure: {
          text: `Bring ${name} back, then run ichor up. If it is lost permanently, recreate its machines elsewhere.`,
          ...(machines.length === 0 ? {} : { command: `ichor replace --host ${name} --gone` }),
        },
      }
    }
  },
})

/** What all offline hosts together mean for etcd. */
function controlPlanesLeft(machines: readonly Machine[], away: readonly DesiredAway[]): string {
  const isControlPlane = ({ role }: Machine) => role === 'controlplane'
  const lost = away.filter(({ machine }) => isControlPlane(machine)).length
  return lost === 0 ? '' : ` ${votesLeft(machines.filter(isControlPlane).length, lost)}`
}
