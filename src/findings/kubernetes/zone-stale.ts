import { defineFinding } from '../define-finding.js'

const zoneLabel = 'topology.kubernetes.io/zone'

/** Zones that are names of hosts are those of Proxmox; others have another origin. */
export const zoneStale = defineFinding({
  code: 'ICH0612',
  name: 'A node has the zone of another host',
  severity: 'warns',
  needs: ['kubernetes', 'proxmox'],
  *find({ observed: { machines, proxmox } }) {
    const hosts = new Set(proxmox.hosts.map(({ name }) => name))
    for (const { name, host, node } of machines) {
      const zone = node?.labels[zoneLabel]
      if (node === undefined || zone === undefined || zone === host || !hosts.has(zone)) continue
      yield {
        subject: { kind: 'node', name },
        title: `The node ${name} has the zone ${zone}, and its VM is on host ${host}.`,
        detail: 'Volumes are created on a host that it cannot reach, and pods that need one stay Pending.',
        cure: {
          text: `The cloud controller sets it when the node registers: after a drain, kubectl delete node ${node.name}, then ichor reboot ${name}`,
        },
      }
    }
  },
})
