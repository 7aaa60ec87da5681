import type { KubernetesObject } from '../kubernetes/port.js'

/** A DaemonSet that only a provider of the pod network has. */
export interface PodNetwork {
  readonly provider: string
  /** `kube-system/cilium` */
  readonly daemonSet: string
}

const providers: Readonly<Record<string, string>> = {
  'kube-flannel': 'flannel',
  cilium: 'Cilium',
  'calico-node': 'Calico',
  canal: 'Canal',
  'weave-net': 'Weave Net',
  'kube-ovn-cni': 'Kube-OVN',
  'antrea-agent': 'Antrea',
}

export function podNetworksOf(daemonSets: readonly KubernetesObject[]): PodNetwork[] {
  return daemonSets.flatMap(({ metadata: { name = '', namespace = '' } }) => {
    const provider = Object.hasOwn(providers, name) ? providers[name] : undefined
    return provider === undefined ? [] : [{ provider, daemonSet: `${namespace}/${name}` }]
  })
}
