import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const notDiscovered = defineFinding({
  code: 'ICH0408',
  name: 'The discovery service does not know every machine',
  severity: 'warns',
  needs: ['talos', 'examined.controlPlanes'],
  *find({ inventory, observed, examined }) {
    const lists = (examined?.machines ?? []).flatMap(({ controlPlane }) => ifSeen(controlPlane?.discovered) ?? [])
    const isAsked = (examined?.machines ?? []).some(
      ({ controlPlane }) => ifSeen(controlPlane?.discovered) !== undefined,
    )
    if (!inventory.settings.talos.discovery || !isAsked) return
    const known = new Set(lists)
    const names = observed.machines.flatMap(({ name, talos, node }) =>
      talos.reach === 'secured' ? [{ name, hostname: node?.name ?? name }] : [],
    )
    const missing = names.filter(({ hostname }) => !known.has(hostname)).map(({ name }) => name)
    if (missing.length === 0) return
    yield {
      subject: { kind: 'cluster', name: inventory.settings.cluster_name },
      title: `Discovery does not know ${missing.join(', ')}.`,
      detail: 'KubeSpan, and talosctl without a list of nodes, need it. Kubernetes does not.',
      cure: { text: 'Allow the nodes to reach discovery.talos.dev on TCP port 443, or set talos.discovery to false.' },
    }
  },
})
