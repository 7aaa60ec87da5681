import { groupBy } from '../cluster/lookup.js'
import type { PlanRefused } from '../errors.js'
import type { CollectedRefusals } from '../findings/refusals/collect-refusals.js'
import { contentNotAllowed, noStorage } from '../findings/refusals/placement.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed } from '../observe/observed.js'
import type { StorageResource } from '../proxmox/client/port.js'
import { canHoldFiles, preferredFirst } from '../proxmox/model/preferred-storage.js'

export type Purpose = 'images' | 'iso' | 'import'

const settings: Readonly<Record<Purpose, { key: string; holds: string }>> = {
  images: { key: 'proxmox.datastore', holds: 'disks of machines' },
  iso: { key: 'proxmox.seed_datastore', holds: 'ISO images' },
  import: { key: 'proxmox.image_datastore', holds: 'images to import' },
}

/** The storage for a purpose on a host. */
export interface Datastores {
  /**
   * The named one, or the first on that host that allows the content. If there is none, that is refused with the name
   * of the setting, and the rest goes on.
   */
  on(host: string, purpose: Purpose, named: string | undefined): string
  /** Like `on`, for callers that have an alternative. */
  find(host: string, purpose: Purpose, named: string | undefined): string | undefined
  isShared(storage: string): boolean
  /** Content types to enable first, if the user permits it. */
  toEnable(): { readonly storage: string; readonly content: Purpose }[]
}

export function datastoresOf(
  { where }: Inventory,
  { proxmox }: Observed,
  mayEnable: boolean,
  refusals: CollectedRefusals,
): Datastores {
  const toEnable = new Map<string, { storage: string; content: Purpose }>()

  const enable = (storage: string, content: Purpose): string => {
    toEnable.set(`${storage}/${content}`, { storage, content })
    return storage
  }

  const byHost = groupBy(
    proxmox.storages.filter(({ available }) => available),
    ({ host }) => host,
  )
  const shared = new Set(proxmox.storages.filter((one) => one.shared).map(({ storage }) => storage))
  const storagesOf = (host: string, purpose: Purpose) => preferredFirst(byHost.get(host) ?? [], purpose)

  return {
    find: (host, purpose, named) =>
      storagesOf(host, purpose).find(
        ({ storage, content }) => content.includes(purpose) && (named === undefined || storage === named),
      )?.storage,
    isShared: (name) => shared.has(name),
    toEnable: () => [...toEnable.values()],
    on: (host, purpose, named) => {
      // A machine that fits on no host is refused for that.
      if (host === '') return ''
      const there = storagesOf(host, purpose)
      const found =
        named === undefined
          ? there.find(({ content }) => content.includes(purpose))
          : there.find(({ storage }) => storage === named)
      if (found?.content.includes(purpose)) return found.storage
      const candidate =
        found ??
        (named === undefined ? there.find(({ type }) => purpose !== 'images' && canHoldFiles(type)) : undefined)
      if (candidate !== undefined && mayEnable) return enable(candidate.storage, purpose)
      return refusals.attempt(() => {
        throw candidate === undefined
          ? absent(host, purpose, named, there, where)
          : notAllowed(host, purpose, candidate.storage, where)
      }, named ?? '')
    },
  }
}

function absent(
  host: string,
  purpose: Purpose,
  named: string | undefined,
  there: readonly StorageResource[],
  where: Inventory['where'],
): PlanRefused {
  const { key, holds } = settings[purpose]
  const known = there.map(({ storage }) => storage).join(', ') || 'none that this token may see'
  return noStorage.refuse(`Host ${host} has no storage ${named === undefined ? '' : `${named} `}for ${holds}.`, {
    subject: { kind: 'host', name: host },
    where: where(key),
    fix: `Name a storage of ${host} as ${key}: it has ${known}.`,
  })
}

function notAllowed(host: string, purpose: Purpose, storage: string, where: Inventory['where']): PlanRefused {
  const { key, holds } = settings[purpose]
  return contentNotAllowed.refuse(`Storage ${storage} on ${host} does not allow ${holds} (content type ${purpose}).`, {
    subject: { kind: 'storage', name: storage },
    where: where(key),
    fix: `Have an administrator run ichor access --enable-content, or allow it in Proxmox under Datacenter, Storage, ${storage}, Content. With an administrator's token, up --enable-content does it, too.`,
  })
}
