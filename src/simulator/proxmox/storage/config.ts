import { badParameters, died } from '../api-error.js'
import { type Call, find, may, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { StorageState } from '../state.js'
import { storageDigest } from './status.js'
import { contentOf } from './storages.js'

const required: Record<string, readonly string[]> = {
  dir: ['path'],
  lvmthin: ['vgname', 'thinpool'],
  lvm: ['vgname'],
  zfspool: ['pool'],
  nfs: ['server', 'export'],
  cifs: ['server', 'share'],
  rbd: [],
  pbs: ['server', 'datastore'],
}
const common = [
  'content',
  'nodes',
  'shared',
  'disable',
  'prune-backups',
  'maxfiles',
  'bwlimit',
  'format',
  'preallocation',
  'create-base-path',
  'create-subdirs',
  'mkdir',
  'is_mountpoint',
  'content-dirs',
  'max-protected-backups',
  'snapshot-as-volume-chain',
]
const own: Record<string, readonly string[]> = {
  dir: ['path'],
  lvmthin: ['vgname', 'thinpool'],
  lvm: ['vgname', 'base', 'saferemove', 'saferemove_throughput', 'tagged_only'],
  zfspool: ['pool', 'blocksize', 'sparse', 'mountpoint'],
  nfs: ['server', 'export', 'path', 'options'],
  cifs: ['server', 'share', 'path', 'username', 'password', 'domain', 'smbversion', 'subdir', 'options'],
  rbd: ['monhost', 'pool', 'username', 'krbd', 'keyring', 'namespace', 'data-pool', 'fsid'],
  pbs: [
    'server',
    'datastore',
    'username',
    'password',
    'fingerprint',
    'namespace',
    'port',
    'encryption-key',
    'master-pubkey',
  ],
}
const flags = new Set([
  'disable',
  'shared',
  'sparse',
  'krbd',
  'mkdir',
  'create-base-path',
  'create-subdirs',
  'tagged_only',
  'saferemove',
])

function show(call: Call, storage: StorageState): Record<string, unknown> {
  const options = Object.fromEntries(
    Object.entries(storage.options).map(([key, value]) => [key, flags.has(key) ? Number(value) : value]),
  )
  return {
    storage: storage.id,
    type: storage.type,
    ...options,
    content: contentOf(storage).join(','),
    digest: storageDigest(call.datacenter),
  }
}

function list(call: Call): unknown[] {
  const type = find(call, 'type')
  return Object.values(call.datacenter.state.storages)
    .filter((storage) => type === undefined || storage.type === type)
    .filter((storage) => may(call, `/storage/${storage.id}`, ['Datastore.Audit', 'Datastore.AllocateSpace'], true))
    .map((storage) => show(call, storage))
}

function read(call: Call): unknown {
  const id = text(call, 'storage')
  const storage = call.datacenter.state.storages[id]
  if (storage === undefined) throw died(`storage '${id}' does not exist`)
  return show(call, storage)
}

function optionsIn({ parameters }: Call): Record<string, string> {
  const { storage: _id, type: _type, digest: _digest, delete: _delete, ...options } = parameters
  return Object.fromEntries(Object.entries(options).map(([key, value]) => [key, String(value)]))
}

function create(call: Call): unknown {
  const { state } = call.datacenter
  const id = text(call, 'storage')
  const type = text(call, 'type')
  const options = optionsIn(call)
  const allowed = [...common, ...(own[type] ?? Object.keys(options))]
  for (const name of required[type] ?? [])
    if (options[name] === undefined) throw died(`missing value for required option '${name}'`)
  const odd = Object.keys(options).find((name) => !allowed.includes(name))
  if (odd !== undefined) throw died(`unexpected property '${odd}'`)
  if (state.storages[id] !== undefined) throw died(`create storage failed: storage ID '${id}' already defined`)
  state.storages[id] = { id, type, total: 250 * 1024 ** 3, options }
  return { storage: id, type }
}

function update(call: Call): unknown {
  const { datacenter } = call
  const id = text(call, 'storage')
  const storage = datacenter.state.storages[id]
  if (storage === undefined) throw died(`update storage failed: storage '${id}' does not exist`)
  const digest = find(call, 'digest')
  if (digest !== undefined && digest !== storageDigest(datacenter))
    throw died('update storage failed: detected modified configuration - file changed by other user? Try again.')
  for (const name of splitList(find(call, 'delete') ?? '')) removeOption(storage, name)
  Object.assign(storage.options, optionsIn(call))
  return { storage: id, type: storage.type }
}

function removeOption(storage: StorageState, name: string): void {
  if (required[storage.type]?.includes(name))
    throw died(`update storage failed: unable to delete required option '${name}'`)
  if (![...common, ...(own[storage.type] ?? [])].includes(name))
    throw died(`update storage failed: no such option '${name}'`)
  delete storage.options[name]
}

function remove(call: Call): null {
  const { state } = call.datacenter
  const id = text(call, 'storage')
  if (state.storages[id] === undefined) throw died(`delete storage failed: storage '${id}' does not exist`)
  delete state.storages[id]
  return null
}

function importMetadata(call: Call): never {
  const volume = text(call, 'volume')
  if (!/\.ova$/.test(volume)) throw died(`unable to parse directory volume name '${volume}'`)
  throw badParameters({ volume: 'the lab has no OVA files' })
}

export const storageConfigRoutes: Routes = {
  'GET /storage': list,
  'POST /storage': create,
  'GET /storage/{storage}': read,
  'PUT /storage/{storage}': update,
  'DELETE /storage/{storage}': remove,
  'GET /nodes/{node}/storage/{storage}/import-metadata': importMetadata,
}
