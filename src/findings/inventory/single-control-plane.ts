import { defineFinding } from '../define-finding.js'

export const singleControlPlane = defineFinding({
  code: 'ICH0122',
  name: 'A production cluster has one control plane',
  severity: 'info',
  needs: [],
  *find({ inventory }) {
    const count = inventory.machines.filter(({ role }) => role === 'controlplane').length
    const name = `${inventory.settings.cluster_name} ${inventory.environment}`
    if (count !== 1 || !/\b(?:prod|production|live)\b/i.test(name.replaceAll(/[-_.]/g, ' '))) return
    yield {
      subject: { kind: 'inventory', name: 'control_plane_count' },
      title: 'The cluster is called production and has one control plane.',
      detail: 'Without it nothing in Kubernetes can be changed, and every upgrade is an outage of its API.',
      cure: { text: 'Three control planes survive the loss of one.', command: 'ichor scale control_planes=3' },
      where: inventory.where('control_plane_count'),
    }
  },
})
