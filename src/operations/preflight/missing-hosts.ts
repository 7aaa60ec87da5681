import { unknownHost } from '../../findings/refusals/inventory.js'
import { listed } from '../../inventory/checks/check.js'
import { type MentionedHost, mentionedHosts } from '../../inventory/checks/hosts.js'
import type { Inventory } from '../../inventory/inventory.js'
import { formatPath } from '../../inventory/path.js'
import type { Observed } from '../../observe/observed.js'
import type { MissingName } from './unfit-site.js'

/** A misspelt host would leave its machines to the others. */
export function missingHosts(inventory: Inventory, { proxmox: { hosts } }: Pick<Observed, 'proxmox'>): MissingName[] {
  const known = hosts.map(({ name }) => name).sort()
  if (known.length === 0) return []
  return firstMentions(inventory)
    .filter(({ host }) => !known.includes(host))
    .map(({ host, path }) => ({
      refusal: unknownHost,
      path: formatPath(path),
      message: `The inventory names ${host}, which is not a host of this Proxmox cluster. Its hosts are ${listed(known)}.`,
      fix: 'Correct the name in the inventory, or remove it.',
    }))
}

/** Once for each host, in the list of hosts if it is there. */
function firstMentions({ settings }: Inventory): MentionedHost[] {
  const { pve_capacity: capacity, proxmox } = settings
  const list = proxmox.target_nodes.map((host, index): MentionedHost => {
    if (capacity !== undefined) return { host, path: ['pve_capacity', host] }
    return { host, path: proxmox.node === host ? ['proxmox', 'node'] : ['proxmox', 'target_nodes', index] }
  })
  const all = [...list, ...mentionedHosts(settings)]
  return [...new Map(all.toReversed().map((one) => [one.host, one])).values()].toReversed()
}
