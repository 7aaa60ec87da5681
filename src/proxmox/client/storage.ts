import { type Fields, fieldsOf, findNumber, flag, listOf, number, optional, text, words } from './fields.js'
import type { StorageCalls, StorageResource, Volume } from './port.js'
import type { StartTask } from './start-task.js'
import type { ProxmoxApi } from './transport/api.js'

export function storageCalls(api: ProxmoxApi, startTask: StartTask): StorageCalls {
  return {
    list: async (host, signal) =>
      listOf(await api.get(`/nodes/${host}/storage`, {}, signal)).map((entry) => readStorage(host, entry)),
    content: async (host, storage, content, signal) =>
      listOf(await api.get(`/nodes/${host}/storage/${storage}/content`, { content }, signal)).map(readVolume),
    removeVolume: (host, volid, signal) => {
      const storage = volid.split(':')[0] ?? ''
      const path = `/nodes/${host}/storage/${storage}/content/${encodeURIComponent(volid)}`
      const id = workerId(volid, storage)
      return startTask({ method: 'DELETE', path }, { host, types: ['imgdel'], id }, signal)
    },
    enableContent: async (storage, content, signal) => {
      const path = `/storage/${storage}`
      const current = fieldsOf(await api.get(path, {}, signal))
      const wanted = [...new Set([...words(current, 'content'), ...content])].filter((type) => type !== 'none')
      if (wanted.length === words(current, 'content').length) return
      await api.put(path, { content: wanted.join(','), digest: text(current, 'digest') || undefined }, signal)
    },
  }
}

/** Deleting a disk is filed under its VM and storage, anything else under the storage alone. */
function workerId(volid: string, storage: string): string {
  const owner = /(?:vm|base)-(\d+)-/.exec(volid)?.[1]
  return owner === undefined ? storage : `${owner}@${storage}`
}

function readStorage(host: string, entry: Fields): StorageResource {
  return {
    host,
    storage: text(entry, 'storage'),
    type: text(entry, 'type'),
    shared: flag(entry, 'shared'),
    available: flag(entry, 'active') && flag(entry, 'enabled'),
    content: words(entry, 'content'),
    total: number(entry, 'total'),
    used: number(entry, 'used'),
  }
}

function readVolume(entry: Fields): Volume {
  return {
    volid: text(entry, 'volid'),
    content: text(entry, 'content'),
    format: text(entry, 'format'),
    size: findNumber(entry, 'size') ?? number(entry, 'approximate-size'),
    ...optional('vmid', findNumber(entry, 'vmid')),
  }
}
