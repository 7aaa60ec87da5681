import type { PlanRefused } from '../errors.js'
import { lostQuorum } from '../findings/refusals/proxmox.js'
import type { Observed } from '../observe/observed.js'

/** Why no change is possible. Checked before the user is asked: Proxmox takes half a minute to refuse one. */
export function withoutQuorum({ proxmox: { quorate, hosts } }: Pick<Observed, 'proxmox'>): PlanRefused | undefined {
  if (quorate !== false) return undefined
  const offline = hosts.filter(({ online }) => !online).map(({ name }) => name)
  const names = offline.join(', ')
  return lostQuorum.refuse('The Proxmox cluster has lost its quorum and accepts no changes.', {
    subject: { kind: 'cluster', name: 'Proxmox' },
    where: offline.length === 0 ? 'the Proxmox cluster' : `Proxmox host ${names}`,
    fix: `${offline.length === 0 ? 'Check' : `Bring ${names} back, or check`} the network between the hosts. Nothing was changed.`,
  })
}
