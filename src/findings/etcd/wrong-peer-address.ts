import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const wrongPeerAddress = defineFinding({
  code: 'ICH0509',
  name: 'An etcd member has the address of another network',
  severity: 'warns',
  needs: ['proxmox', 'etcd'],
  *find({ observed }) {
    const etcd = ifSeen(observed.etcd)
    for (const { id, peerUrls } of etcd?.members ?? []) {
      const machine = observed.machines.find(({ name }) => name === etcd?.owners[id])
      const addresses = peerUrls.map(hostIn)
      if (machine?.address === undefined || addresses.length === 0 || addresses.includes(machine.address)) continue
      yield {
        subject: { kind: 'member', name: machine.name },
        title: `The other members reach the etcd of ${machine.name} at ${addresses.join(', ')}, not at ${machine.address}.`,
        detail: 'If that address changes or its network is cut, the member is lost, although its machine runs.',
        cure: { text: 'Set cluster.etcd.advertisedSubnets with a patch in talos.patches.control_plane.' },
      }
    }
  },
})

function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : url
}
