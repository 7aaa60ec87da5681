import { defineFinding } from '../define-finding.js'

export const noQuorum = defineFinding({
  code: 'ICH0201',
  name: 'Proxmox has no quorum',
  severity: 'blocks',
  needs: ['proxmox'],
  *find({ observed: { proxmox } }) {
    if (proxmox.quorate !== false) return
    const offline = proxmox.hosts.filter(({ online }) => !online).map(({ name }) => name)
    yield {
      subject: { kind: 'cluster', name: 'Proxmox' },
      title: 'The Proxmox cluster has lost its quorum and accepts no changes.',
      detail:
        offline.length === 0 ? 'Running machines go on.' : `Offline: ${offline.join(', ')}. Running machines go on.`,
      cure: { text: 'Bring the offline hosts back, or check the network between the hosts.' },
    }
  },
})
