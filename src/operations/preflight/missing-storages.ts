import { missingStorage } from '../../findings/refusals/inventory.js'
import { listed } from '../../inventory/checks/check.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Observed } from '../../observe/observed.js'
import type { StorageResource } from '../../proxmox/client/port.js'
import { insteadOf } from './instead-of.js'
import type { MissingName } from './unfit-site.js'

/** Storages that no host has, or that do not allow what they are named for. */
export function missingStorages(
  inventory: Inventory,
  { proxmox: { storages, mayAdminister = false } }: Pick<Observed, 'proxmox'>,
  { mayEnableContent = false }: { readonly mayEnableContent?: boolean | undefined },
): MissingName[] {
  // A token without Datastore.Audit sees none: then the first use of one reports it.
  if (storages.length === 0) return []
  return namedStorages(inventory).flatMap((named) => {
    const there = storages.filter(({ storage }) => storage === named.storage)
    if (there.length === 0 && named.isHidden === true && !mayAdminister) return []
    if (there.length === 0) return [unknownStorage(named, storages)]
    const isAllowed = there.some(({ content }) => named.content.some((type) => content.includes(type)))
    return isAllowed || (mayEnableContent && named.isEnabled) ? [] : [notAllowed(named, storages)]
  })
}

interface NamedStorage {
  readonly storage: string
  readonly path: string
  /** One of these content types is enough. */
  readonly content: readonly string[]
  /** For messages: `disks of machines`. */
  readonly holds: string
  /** `--enable-content` allows it there. */
  readonly isEnabled?: true
  /** The token of runs has no rights there. */
  readonly isHidden?: true
}

function namedStorages({ settings }: Inventory): NamedStorage[] {
  const { proxmox, sizing, worker_pools, controlplane, workers, guests, backup, talos } = settings
  const image = talos.boot === 'iso' ? ['iso'] : ['import']
  const files = (storage: string | undefined, path: string, content: readonly string[], holds: string) =>
    storage === undefined ? [] : [{ storage, path, content, holds, isEnabled: true as const }]
  const disks = (list: readonly { readonly datastore?: string }[] | undefined, path: string) =>
    (list ?? []).flatMap(({ datastore }, index) => holdsDisks(datastore, `${path}[${index}].datastore`))
  const created = guests.flatMap((guest, index) => (guest.create ? [{ guest, path: `guests[${index}]` }] : []))
  return [
    ...holdsDisks(proxmox.datastore, 'proxmox.datastore'),
    ...holdsDisks(proxmox.template_datastore, 'proxmox.template_datastore'),
    ...files(proxmox.image_datastore, 'proxmox.image_datastore', image, 'images to import'),
    ...files(proxmox.seed_datastore, 'proxmox.seed_datastore', ['import', 'iso'], 'configs on their way to a machine'),
    ...disks(sizing.control_plane.disks, 'sizing.control_plane.disks'),
    ...disks(sizing.worker.disks, 'sizing.worker.disks'),
    ...worker_pools.flatMap((pool, index) => disks(pool.sizing?.disks, `worker_pools[${index}].sizing.disks`)),
    ...controlplane.flatMap((node, index) => disks(node.disks, `controlplane[${index}].disks`)),
    ...workers.flatMap((node, index) => disks(node.disks, `workers[${index}].disks`)),
    ...created.flatMap(({ guest, path }) => [
      ...holdsDisks(guest.datastore, `${path}.datastore`),
      ...disks(guest.disks, `${path}.disks`),
    ]),
    ...(backup.machines === undefined
      ? []
      : [
          {
            storage: backup.machines.datastore,
            path: 'backup.machines.datastore',
            content: ['backup'],
            holds: 'backups',
            isHidden: true as const,
          },
        ]),
  ]
}

function holdsDisks(storage: string | undefined, path: string): NamedStorage[] {
  return storage === undefined ? [] : [{ storage, path, content: ['images'], holds: 'disks of machines' }]
}

function unknownStorage(named: NamedStorage, storages: readonly StorageResource[]): MissingName {
  const { storage, path, holds } = named
  const fitting = fittingNames(named, storages)
  const choice =
    fitting.length === 0
      ? `No storage that this token may see allows ${holds}.`
      : `Write one that allows ${holds}: ${listed(fitting)}.`
  return {
    refusal: missingStorage,
    path,
    message: `No host has a storage ${storage}, or this token may not see it.`,
    fix: insteadOf(storage, fitting, choice),
  }
}

function notAllowed(named: NamedStorage, storages: readonly StorageResource[]): MissingName {
  const { storage, path, content, holds, isEnabled = false } = named
  const fitting = fittingNames(named, storages)
  const others = fitting.length === 0 ? '' : `Write ${listed(fitting)}, or a`
  const allow = `llow it in Proxmox under Datacenter, Storage, ${storage}, Content.`
  const byToken = isEnabled ? ' ichor access --enable-content does it, too.' : ''
  return {
    refusal: missingStorage,
    path,
    message: `Storage ${storage} does not allow ${holds} (content type ${content[0]}).`,
    fix: `${others === '' ? 'A' : others}${allow}${byToken}`,
  }
}

function fittingNames({ content }: NamedStorage, storages: readonly StorageResource[]): string[] {
  const fitting = storages.filter((one) => content.some((type) => one.content.includes(type)))
  return [...new Set(fitting.map(({ storage }) => storage))].sort()
}
