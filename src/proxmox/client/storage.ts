import { type Fields, fieldsOf, findNumber, flag, listOf, number, optional, text, words } from './fields.js'
import type { StorageCalls, StorageDefinition, Volume } from './port.js'
import type { StartTask } from './start-task.js'
import type { ProxmoxApi } from './transport/api.js'

export function storageCalls(api: ProxmoxApi, startTask: StartTask): StorageCalls {
  return {
    definitions: async (signal) => listOf(await api.get('/storage', {}, signal)).map(readDefinition),
    content: async (host, storage, content, signal) =>
      listOf(await api.get(`/nodes/${host}/storage/${storage}/content`, { content }, signal)).map(readVolume),
    free: async (host, signal) => {
      const storages = listOf(await api.get(`/nodes/${host}/storage`, { enabled: 1 }, signal))
      return new Map(
        storages.flatMap((entry) => {
          const free = flag(entry, 'active') ? findNumber(entry, 'avail') : undefined
          return free === undefined ? [] : [[text(entry, 'storage'), free]]
        }),
      )
    },
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

function readDefinition(entry: Fields): StorageDefinition {
  const name = text(entry, 'thinpool')
  return {
    storage: text(entry, 'storage'),
    type: text(entry, 'type'),
    ...(name === '' ? {} : { thinPool: { volumeGroup: text(entry, 'vgname'), name } }),
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
