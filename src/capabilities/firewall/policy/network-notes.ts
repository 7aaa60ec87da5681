import { contains, parseNetwork } from '../../../cluster/address.js'
import type { Desired } from '../../../desired/desired.js'
import type { Finding } from '../../../findings/finding.js'
import { sharedNetwork } from '../../../findings/notes/proxmox.js'
import type { Observed } from '../../../observe/observed.js'

/** VMs of others whose addresses the rules take for nodes. */
export function networkNotes({ cluster }: Desired, { taken }: Observed): Finding[] {
  const networks = (cluster.nodeNetworks ?? []).flatMap((cidr) => parseNetwork(cidr) ?? [])
  const inside = taken.filter(
    ({ address, owner }) => owner.startsWith('VM ') && networks.some((network) => contains(network, address)),
  )
  const owners = [...new Set(inside.map(({ owner }) => owner))]
  if (owners.length === 0) return []
  const named = owners.length > 3 ? `${owners.slice(0, 3).join(', ')} and ${owners.length - 3} more` : owners.join(', ')
  return [
    sharedNetwork.note(
      `The firewall takes every address in network.cidr for a node: ${named} can reach etcd, trustd and the network of the pods.`,
      { subject: { kind: 'cluster', name: cluster.name }, cure: 'Give the cluster a network of its own.' },
    ),
  ]
}
