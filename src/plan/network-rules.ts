import type { Desired } from '../desired/desired.js'
import { otherNetwork } from '../findings/refusals/inventory.js'
import type { Observed } from '../observe/observed.js'
import { findSeen } from '../work/wanted-machine.js'

const fixed = /^cluster\.network\.(podSubnets|serviceSubnets|dnsDomain)\b/
const keys: Readonly<Record<string, string>> = {
  podSubnets: 'network.pod_cidr',
  serviceSubnets: 'network.svc_cidr',
  dnsDomain: 'kubernetes.dns_domain',
}

/**
 * Nodes, services and certificates use addresses and names from the cluster's networks, and Kubernetes cannot change
 * these later. A single config that was edited by hand is different: it is set back.
 */
export function refuseOtherNetworks({ cluster, machines }: Desired, observed: Observed): void {
  const changed = machines
    .filter(({ machine }) => machine.role === 'controlplane')
    .flatMap(({ machine: { name }, talos: wanted }) => {
      const talos = findSeen(observed, name)?.talos
      if (wanted === undefined || talos?.reach !== 'secured' || !talos.config.seen) return []
      const active = talos.config.value
      return [active === wanted.config ? [] : wanted.differenceFrom(active, talos.version).fields]
    })
    .map((fields) => fields.flatMap((field) => keys[fixed.exec(field)?.[1] ?? ''] ?? [])[0])
  const [first] = changed
  if (first === undefined || changed.includes(undefined) || !observed.secrets.bootstrapped) return
  throw otherNetwork.refuse(
    `The networks of a cluster cannot be changed after its creation, but ${first} would change.`,
    {
      subject: { kind: 'cluster', name: cluster.name },
      where: 'network.pod_cidr, network.svc_cidr, network.ipv6 or kubernetes.dns_domain in the inventory',
      fix: 'Restore the previous value. To use other networks, recreate the cluster with ichor destroy and ichor up.',
    },
  )
}
