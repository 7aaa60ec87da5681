import { defineFinding } from '../define-finding.js'

const taint = 'node.cloudprovider.kubernetes.io/uninitialized'

export const uninitialized = defineFinding({
  code: 'ICH0611',
  name: 'A node waits for the cloud controller',
  severity: 'blocks',
  needs: ['proxmox', 'kubernetes'],
  *find({ observed: { machines } }) {
    for (const { name, node } of machines) {
      if (node?.taints.some(({ key }) => key === taint) !== true) continue
      yield {
        subject: { kind: 'node', name },
        title: `${name} waits for the cloud controller, and takes no pods until then.`,
        detail: 'The controller does not run, cannot reach Proxmox, or does not find the VM of the node.',
        cure: { text: 'Look at its log: kubectl logs -n kube-system -l app=proxmox-cloud-controller-manager' },
      }
    }
  },
})
