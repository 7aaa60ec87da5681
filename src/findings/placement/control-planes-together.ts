import { groupBy } from '../../cluster/lookup.js'
import { majority } from '../../cluster/quorum.js'
import { defineFinding } from '../define-finding.js'

/** With a single host there is no better place. */
export const controlPlanesTogether = defineFinding({
  code: 'ICH1002',
  name: 'The loss of one host costs the majority',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ observed: { machines, proxmox } }) {
    const controlPlanes = machines.filter(({ mark }) => mark.role === 'controlplane')
    if (controlPlanes.length < 3) return
    for (const [host, there] of groupBy(controlPlanes, (machine) => machine.host)) {
      if (controlPlanes.length - there.length >= majority(controlPlanes.length)) continue
      yield {
        severity: proxmox.hosts.length > 1 ? 'warns' : 'info',
        subject: { kind: 'host', name: host },
        title: `${there.length} of ${controlPlanes.length} control planes are on host ${host}.`,
        detail: `If ${host} is lost, etcd loses its majority: ${there.map(({ name }) => name).join(', ')}.`,
        cure: {
          text: 'Spread them with placement.strategy or placement.pinned. To see what its loss means.',
          command: `ichor capacity --lose ${host}`,
        },
      }
    }
  },
})
