import { lostQuorum } from '../findings/refusals/proxmox.js'
import type { Observed } from '../observe/observed.js'

/** Checked before the user is asked: Proxmox takes half a minute to refuse a change. */
export function refuseWithoutQuorum({ proxmox: { quorate, hosts } }: Pick<Observed, 'proxmox'>): void {
  if (quorate !== false) return
  const offline = hosts.filter(({ online }) => !online).map(({ name }) => name)
  const names = offline.join(', ')
  throw lostQuorum.refuse('The Proxmox cluster has lost its quorum and accepts no changes.', {
    subject: { kind: 'cluster', name: 'Proxmox' },
    where: offline.length === 0 ? 'the Proxmox cluster' : `Proxmox host ${names}`,
    fix: `${offline.length === 0 ? 'Check' : `Bring ${names} back, or check`} the network between the hosts. Nothing was changed.`,
  })
}
