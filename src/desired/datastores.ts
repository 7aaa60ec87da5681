import { PlanRefused } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed } from '../observe/observed.js'

export type Purpose = 'images' | 'iso' | 'import'

const settings: Readonly<Record<Purpose, { key: string; holds: string }>> = {
  images: { key: 'proxmox.datastore', holds: 'disks of machines' },
  iso: { key: 'proxmox.seed_datastore', holds: 'ISO images' },
  import: { key: 'proxmox.image_datastore', holds: 'images to import' },
}

/** The named storage, or the first on that host that allows the content; none is a refusal that names the setting. */
export function datastoreOn(
  host: string,
  purpose: Purpose,
  named: string | undefined,
  { where }: Inventory,
  { proxmox }: Observed,
): string {
  const there = proxmox.storages.filter((storage) => storage.host === host && storage.available)
  const { key, holds } = settings[purpose]
  const found = named === undefined ? firstAllowing(there, purpose) : there.find(({ storage }) => storage === named)
  if (found === undefined) {
    throw new PlanRefused(`Host ${host} has no storage ${named === undefined ? '' : `${named} `}for ${holds}.`, {
      where: where(key),
      fix: `Name a storage of ${host} as ${key}: it has ${there.map(({ storage }) => storage).join(', ') || 'none that this token may see'}.`,
    })
  }
  if (found.content.includes(purpose)) return found.storage
  throw new PlanRefused(`Storage ${found.storage} on ${host} does not allow ${holds} (content type ${purpose}).`, {
    where: where(key),
    fix: `Run with --enable-content, or allow it in Proxmox under Datacenter, Storage, ${found.storage}, Content.`,
  })
}

function firstAllowing<S extends { storage: string; content: readonly string[] }>(
  storages: readonly S[],
  purpose: Purpose,
): S | undefined {
  return storages
    .filter(({ content }) => content.includes(purpose))
    .sort((one, other) => (one.storage < other.storage ? -1 : 1))[0]
}
