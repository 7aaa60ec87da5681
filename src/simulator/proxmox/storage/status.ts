import { createHash } from 'node:crypto'
import { badParameters } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import { type Call, find, flag, may, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { StorageState } from '../state.js'
import { capacityOf, contentOf, findStorage, isBlock, isDisabled, isOnHost, isShared } from './storages.js'

export function storageStatus(
  datacenter: Datacenter,
  storage: StorageState,
  host: string,
  usage?: ReadonlyMap<string, number>,
): Record<string, unknown> {
  const isUsable = !isDisabled(storage) && isOnHost(storage, host)
  const { total, used, avail } = isUsable
    ? capacityOf(datacenter, storage, host, usage)
    : { total: 0, used: 0, avail: 0 }
  return {
    type: storage.type,
    content: contentOf(storage).join(','),
    shared: isShared(storage) ? 1 : 0,
    enabled: isUsable ? 1 : 0,
    active: isUsable ? 1 : 0,
    total,
    used,
    avail,
  }
}

function formats(storage: StorageState): unknown {
  const known = isBlock(storage) ? { raw: 1 } : { raw: 1, qcow2: 1, subvol: 1, vmdk: 1 }
  return [known, isBlock(storage) ? 'raw' : (storage.options.format ?? 'raw')]
}

/** The same, as 9 words it. */
function newFormats(storage: StorageState): unknown {
  const supported = isBlock(storage) ? ['raw'] : ['qcow2', 'raw', 'subvol', 'vmdk']
  return { supported, default: isBlock(storage) ? 'raw' : (storage.options.format ?? 'raw') }
}

function list(call: Call): unknown[] {
  const { datacenter, host } = call
  const only = find(call, 'storage')
  const content = splitList(find(call, 'content') ?? '')
  if (only !== undefined && findStorage(datacenter, only) === undefined)
    throw badParameters({ storage: 'No such storage.' })
  return Object.values(datacenter.state.storages)
    .filter((storage) => only === undefined || storage.id === only)
    .filter((storage) => content.length === 0 || content.some((wanted) => contentOf(storage).includes(wanted)))
    .filter((storage) => (flag(call, 'enabled') || content.length > 0 ? !isDisabled(storage) : true))
    .filter((storage) => content.length === 0 || isOnHost(storage, host))
    .filter((storage) => may(call, `/storage/${storage.id}`, ['Datastore.Audit', 'Datastore.AllocateSpace'], true))
    .map((storage) => {
      const status = storageStatus(datacenter, storage, host)
      const total = Number(status.total)
      return {
        storage: storage.id,
        ...status,
        ...(total > 0 ? { used_fraction: Number(status.used) / total } : {}),
        ...(flag(call, 'format') && status.active === 1
          ? { format: formats(storage), ...(datacenter.pve === 9 ? { formats: newFormats(storage) } : {}) }
          : {}),
      }
    })
}

function status(call: Call): unknown {
  const storage = findStorage(call.datacenter, text(call, 'storage'))
  if (storage === undefined) throw badParameters({ storage: 'No such storage.' })
  return storageStatus(call.datacenter, storage, call.host)
}

/** SHA-1 of what `storage.cfg` would contain. */
export function storageDigest({ state }: Datacenter): string {
  return createHash('sha1')
    .update(JSON.stringify(state.storages, (key, value) => (key === 'total' ? undefined : value)))
    .digest('hex')
}

const subdirectories = 'content download-url file-restore import-metadata prunebackups rrd rrddata status upload'

export const storageStatusRoutes: Routes = {
  'GET /nodes/{node}/storage': list,
  'GET /nodes/{node}/storage/{storage}': ({ datacenter }) =>
    [...(datacenter.pve === 9 ? ['identity', 'oci-registry-pull'] : []), ...subdirectories.split(' ')]
      .sort()
      .map((subdir) => ({ subdir })),
  'GET /nodes/{node}/storage/{storage}/status': status,
}
