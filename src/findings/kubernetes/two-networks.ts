import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const twoNetworks = defineFinding({
  code: 'ICH0610',
  name: 'Two providers of the pod network are installed',
  severity: 'blocks',
  needs: ['kubernetes'],
  *find({ inventory, observed }) {
    const there = ifSeen(observed.kubernetes)?.podNetworks ?? []
    if (new Set(there.map(({ provider }) => provider)).size < 2) return
    yield {
      subject: { kind: 'cluster', name: inventory.settings.cluster_name },
      title: `${there.map(({ provider }) => provider).join(' and ')} both provide the pod network.`,
      detail: `DaemonSets ${there.map(({ daemonSet }) => daemonSet).join(', ')}. Each node takes the configuration that it finds first.`,
      cure: {
        text: 'Keep the one of the inventory, delete the DaemonSet and the objects of the other, then reboot one node after the other.',
      },
    }
  },
})
