import { defineFinding } from '../define-finding.js'

export const nodeAddress = defineFinding({
  code: 'ICH0607',
  name: 'A kubelet has taken the wrong address',
  severity: 'warns',
  needs: ['proxmox', 'kubernetes', 'talos'],
  *find({ inventory, observed }) {
    const { vip } = inventory.settings.network
    for (const { name, address, node, talos } of observed.machines) {
      const internal = node?.internalAddresses ?? []
      if (address === undefined || internal.length === 0 || talos.reach !== 'secured') continue
      if (internal.includes(address) && internal[0] !== vip) continue
      yield {
        subject: { kind: 'node', name },
        title: `The node ${name} has the address ${internal.join(', ')}, not ${address}.`,
        detail: 'Other nodes and the API server reach its kubelet and its pods at that address.',
        cure: { text: 'Set machine.kubelet.nodeIP.validSubnets with a patch in talos.patches.cluster.' },
      }
    }
  },
})
