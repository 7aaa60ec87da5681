import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'
import { becauseLost } from '../etcd/no-majority.js'

/** Control planes elect its holder in etcd. */
export const vipHolder = defineFinding({
  code: 'ICH0410',
  name: 'The virtual IP is not held by exactly one machine',
  severity: 'blocks',
  needs: ['etcd', 'examined.controlPlanes'],
  *find(facts) {
    const { inventory, observed, examined } = facts
    const { vip } = inventory.settings.network
    const etcd = ifSeen(observed.etcd)
    const asked = (examined?.machines ?? []).filter(({ controlPlane }) => controlPlane !== undefined)
    const seen = asked.flatMap(({ name, controlPlane }) => {
      const addresses = ifSeen(controlPlane?.addresses)
      return addresses === undefined ? [] : [{ name, addresses }]
    })
    const controlPlanes = observed.machines.filter(({ mark }) => mark.role === 'controlplane')
    if (vip === undefined || etcd === undefined || seen.length === 0) return
    const holders = seen.filter(({ addresses }) => addresses.includes(vip)).map(({ name }) => name)
    if (holders.length === 1 || (holders.length === 0 && seen.length < controlPlanes.length)) return
    yield {
      severity: holders.length === 0 ? 'blocks' : 'warns',
      subject: { kind: 'cluster', name: vip },
      title:
        holders.length === 0
          ? `No control plane holds the virtual IP ${vip}.`
          : `${holders.join(' and ')} both hold the virtual IP ${vip}.`,
      detail: 'Clients and kubelets reach the Kubernetes API through it.',
      ...becauseLost(facts),
      cure: {
        text: 'Its holder is elected in etcd: look at the log of machined.',
        command: `ichor dmesg ${seen[0]?.name}`,
      },
    }
  },
})
