import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

/** DaemonSets that only the provider of the pod network has. */
const providers: Readonly<Record<string, string>> = {
  'kube-flannel': 'flannel',
  cilium: 'Cilium',
  'calico-node': 'Calico',
  canal: 'Canal',
  'weave-net': 'Weave Net',
  'kube-ovn-cni': 'Kube-OVN',
  'antrea-agent': 'Antrea',
}

export const twoNetworks = defineFinding({
  code: 'ICH0610',
  name: 'Two providers of the pod network are installed',
  severity: 'blocks',
  needs: ['examined.kubernetes'],
  *find({ inventory, examined }) {
    const there = (ifSeen(examined?.kubernetes?.daemonSets) ?? []).flatMap(({ namespace, name }) => {
      const title = Object.hasOwn(providers, name) ? providers[name] : undefined
      return title === undefined ? [] : [{ title, object: `${namespace}/${name}` }]
    })
    if (new Set(there.map(({ title }) => title)).size < 2) return
    yield {
      subject: { kind: 'cluster', name: inventory.settings.cluster_name },
      title: `${there.map(({ title }) => title).join(' and ')} both provide the pod network.`,
      detail: `DaemonSets ${there.map(({ object }) => object).join(', ')}. Each node takes the configuration that it finds first.`,
      cure: {
        text: 'Keep the one of the inventory, delete the DaemonSet and the objects of the other, then reboot one node after the other.',
      },
    }
  },
})
