import { parsePropertyString } from '../model/property-string.js'
import { ProxmoxError } from '../model/proxmox-error.js'
import { readClusterStatus } from './cluster-status.js'
import { type Fields, fieldsOf, findNumber, findText, flag, listOf, number, optional, text, words } from './fields.js'
import { readLoad } from './load.js'
import type { ClusterCalls, GuestResource, HostResource, PciMapping, ProxmoxVersion, StorageResource } from './port.js'
import type { ProxmoxApi } from './transport/api.js'

export function clusterCalls(api: ProxmoxApi, { hasOwnTime }: { readonly hasOwnTime: boolean }): ClusterCalls {
  return {
    version: async (signal) => {
      const version = readVersion(await api.get('/version', {}, signal))
      return hasOwnTime ? version : { ...version, ...optional('clockOffsetMs', api.clockOffset()) }
    },
    resources: async (signal) => {
      const entries = listOf(await api.get('/cluster/resources', {}, signal))
      const ofType = (...types: string[]) => entries.filter((entry) => types.includes(text(entry, 'type')))
      return {
        hosts: ofType('node').map(readHost),
        guests: ofType('qemu', 'lxc').map(readGuest),
        storages: ofType('storage').map(readStorageResource),
      }
    },
    status: async (signal) => readClusterStatus(await api.get('/cluster/status', {}, signal)),
    load: (signal) => readLoad(api, signal),
    isVmidFree: async (vmid, signal) => {
      try {
        await api.get('/cluster/nextid', { vmid }, signal)
        return true
      } catch (thrown) {
        if (thrown instanceof ProxmoxError && thrown.kind === 'vmid-taken') return false
        throw thrown
      }
    },
    pciMappings: async (signal) => listOf(await api.get('/cluster/mapping/pci', {}, signal)).map(readPciMapping),
  }
}

/** `9.2.3` or `8.4.0~beta`, as `/version` returns it. @internal */
export function readVersion(data: unknown): ProxmoxVersion {
  const version = text(fieldsOf(data), 'version')
  const [major = 0, minor = 0] = version.split(/[.~-]/).map(Number)
  return { version, major, minor, canImportImages: major > 8 || (major === 8 && minor >= 4) }
}

function readHost(entry: Fields): HostResource {
  return {
    name: text(entry, 'node'),
    online: text(entry, 'status') === 'online',
    maintenance: text(entry, 'hastate') === 'maintenance',
    ...optional('cpus', findNumber(entry, 'maxcpu')),
    ...optional('memory', findNumber(entry, 'maxmem')),
    ...optional('memoryUsed', findNumber(entry, 'mem')),
  }
}

function readGuest(entry: Fields): GuestResource {
  return {
    host: text(entry, 'node'),
    vmid: number(entry, 'vmid'),
    kind: text(entry, 'type') === 'lxc' ? 'lxc' : 'qemu',
    status: readRunState(text(entry, 'status')),
    template: flag(entry, 'template'),
    cpus: number(entry, 'maxcpu'),
    memory: number(entry, 'maxmem'),
    disk: number(entry, 'maxdisk'),
    tags: words(entry, 'tags'),
    ...optional('name', findText(entry, 'name')),
    ...optional('pool', findText(entry, 'pool')),
    ...optional('lock', findText(entry, 'lock')),
    ...optional('ha', findText(entry, 'hastate')),
  }
}

function readRunState(status: string): GuestResource['status'] {
  return status === 'running' || status === 'stopped' ? status : 'unknown'
}

function readStorageResource(entry: Fields): StorageResource {
  return {
    host: text(entry, 'node'),
    storage: text(entry, 'storage'),
    type: text(entry, 'plugintype'),
    shared: flag(entry, 'shared'),
    available: text(entry, 'status') === 'available',
    content: words(entry, 'content'),
    total: number(entry, 'maxdisk'),
    used: number(entry, 'disk'),
  }
}

function readPciMapping(entry: Fields): PciMapping {
  const places = Array.isArray(entry.map) ? entry.map.map(String) : []
  const hosts = places.map((place) => parsePropertyString(place).get('node') ?? '')
  return { id: text(entry, 'id'), hosts: [...new Set(hosts)].filter((host) => host !== '') }
}
