import { nameOf } from '../access/permissions.js'
import { badParameters, died } from '../api-error.js'
import { type Datacenter, nowSeconds } from '../datacenter.js'
import { taskTime } from '../durations.js'
import { type Call, find, may, must, number, type Routes, text } from '../http/call.js'
import type { VolumeState } from '../state.js'
import { refuseIfBase } from './images.js'
import {
  contentOf,
  dropVolume,
  findVolume,
  getStorage,
  isBlock,
  pathOf,
  placeOf,
  putVolume,
  volumesOn,
} from './storages.js'

/** The full volume ID of a call, given with or without its storage. */
function volidOf(call: Call): string {
  const volume = text(call, 'volume')
  const storage = text(call, 'storage')
  const [id] = volume.split(':')
  if (!volume.includes(':')) return `${storage}:${volume}`
  if (id !== storage) throw badParameters({ volume: `storage ID mismatch (${id} != ${storage})\n` })
  return volume
}

function maySee(call: Call, volume: VolumeState): boolean {
  if (volume.vmid !== undefined && (volume.content === 'images' || volume.content === 'rootdir'))
    return (
      may(call, `/vms/${volume.vmid}`, ['VM.Audit', 'VM.Config.Disk', 'VM.Backup'], true) ||
      may(call, `/storage/${volume.storage}`, ['Datastore.Allocate'])
    )
  if (volume.vmid !== undefined && volume.content === 'backup')
    return (
      may(call, `/storage/${volume.storage}`, ['Datastore.Allocate']) ||
      (may(call, `/storage/${volume.storage}`, ['Datastore.AllocateSpace']) &&
        may(call, `/vms/${volume.vmid}`, ['VM.Backup']))
    )
  return may(call, `/storage/${volume.storage}`, ['Datastore.Audit', 'Datastore.AllocateSpace'], true)
}

function entry(volume: VolumeState): Record<string, unknown> {
  const { volid, content, format, size, ctime, vmid, parent, notes, used } = volume
  const isImage = content === 'images'
  return {
    volid,
    content,
    format,
    size,
    ctime,
    ...(vmid === undefined ? {} : { vmid }),
    ...(isImage ? { used, parent: parent ?? null } : {}),
    ...(content === 'backup' ? { subtype: 'qemu' } : {}),
    ...(notes === undefined ? {} : { notes: notes.split('\n')[0] }),
    ...(volume.protected === true ? { protected: 1 } : {}),
  }
}

function list(call: Call): unknown[] {
  const { datacenter, host } = call
  const storage = getStorage(datacenter, text(call, 'storage'), host)
  const vmid = find(call, 'vmid')
  const content = find(call, 'content')
  const allowed = contentOf(storage)
  return volumesOn(datacenter, storage, host)
    .filter((volume) => allowed.includes(volume.content))
    .filter((volume) => content === undefined || volume.content === content)
    .filter((volume) => vmid === undefined || volume.vmid === Number(vmid))
    .filter((volume) => maySee(call, volume))
    .sort((a, b) => (a.volid < b.volid ? -1 : 1))
    .map(entry)
}

function read(call: Call): unknown {
  const { datacenter, host } = call
  const volid = volidOf(call)
  const storage = getStorage(datacenter, text(call, 'storage'), host)
  refuseOddName(volid)
  const volume = findVolume(datacenter, volid, host)
  if (volume === undefined) throw died(`volume_size_info on '${volid}' failed - no format`)
  if (!maySee(call, volume)) must(call, `/storage/${storage.id}`, ['Datastore.Audit', 'Datastore.AllocateSpace'], true)
  const isFile = volume.content === 'iso' || volume.content === 'vztmpl'
  return {
    path: pathOf(storage, volid),
    size: volume.size,
    used: isFile ? volume.size : volume.used,
    format: isFile ? 'raw' : volume.format,
    ...(volume.content === 'backup' ? { notes: volume.notes ?? '', protected: volume.protected === true ? 1 : 0 } : {}),
  }
}

const volumeName = /^[^:]+:((\d+|iso|vztmpl|backup|import|snippets|rootdir)\/\S+|(vm|base|subvol)-\d+-\S+)$/

function refuseOddName(volid: string): void {
  if (!volumeName.test(volid))
    throw died(`unable to parse directory volume name '${volid.slice(volid.indexOf(':') + 1)}'`)
}

async function remove(call: Call): Promise<string | null> {
  const { datacenter, host, identity } = call
  const volid = volidOf(call)
  const storage = getStorage(datacenter, text(call, 'storage'), host)
  refuseOddName(volid)
  const backupOf = /:backup\/vzdump-[a-z]+-(\d+)-/.exec(volid)?.[1]
  const owner =
    backupOf ??
    /(?:^|[:/])(?:vm|base)-(\d+)-/.exec(volid.split('/').at(-1) ?? volid)?.[1] ??
    /:(\d+)\//.exec(volid)?.[1]
  must(call, `/storage/${storage.id}`, [backupOf === undefined ? 'Datastore.Allocate' : 'Datastore.AllocateSpace'])
  if (backupOf !== undefined) must(call, `/vms/${backupOf}`, ['VM.Backup'])
  const id = owner === undefined ? storage.id : `${owner}@${storage.id}`
  const upid = datacenter.tasks.start({ host, type: 'imgdel', id, user: nameOf(identity) }, async (worker) => {
    const volume = findVolume(datacenter, volid, host)
    if (volume === undefined) worker.log(`disk image '${pathOf(storage, volid)}' does not exist`)
    else {
      if (volume.protected === true)
        throw died(`cannot remove protected volume '${volid.slice(storage.id.length + 1)}' on '${storage.id}'`)
      refuseIfBase(datacenter, storage, volume, 'clones')
      await worker.sleep(taskTime.removeFile)
      dropVolume(datacenter, volume)
    }
    worker.log(`Removed volume '${volid}'`)
  })
  if (find(call, 'delay') === undefined) return upid
  await Promise.race([datacenter.tasks.ended(upid), datacenter.clock.sleep(number(call, 'delay') * 1000)])
  return datacenter.tasks.find(upid)?.status === 'stopped' ? null : upid
}

function bytesOf(size: string): number {
  const [, amount = '0', unit = ''] = /^(\d+)([MG]?)$/.exec(size) ?? []
  return Number(amount) * ({ '': 1024, M: 1024 ** 2, G: 1024 ** 3 }[unit] ?? 1024)
}

/** A volume by name, as the CSI plug-in creates them. */
function allocate(call: Call): string {
  const { datacenter, host } = call
  const storage = getStorage(datacenter, text(call, 'storage'), host)
  const filename = text(call, 'filename')
  const vmid = number(call, 'vmid')
  const extension = /\.(raw|qcow2|vmdk|subvol)$/.exec(filename)?.[1]
  const format = find(call, 'format') ?? extension ?? 'raw'
  if (extension !== undefined && extension !== format && find(call, 'format') !== undefined)
    throw badParameters({ format: `different storage formats (${format} != ${extension})` })
  const volid = isBlock(storage) ? `${storage.id}:${filename}` : `${storage.id}:${vmid}/${filename}`
  if (findVolume(datacenter, volid, host) !== undefined)
    throw died(`disk image '${pathOf(storage, volid)}' already exists`)
  const size = bytesOf(text(call, 'size'))
  putNamed(datacenter, { volid, storage: storage.id, place: placeOf(storage, host), format, size, vmid })
  return volid
}

function putNamed(
  datacenter: Datacenter,
  image: { volid: string; storage: string; place: string; format: string; size: number; vmid: number },
): void {
  const { volid, storage, place, format, size, vmid } = image
  const used = format === 'qcow2' ? 266240 : size === 0 ? 0 : 4096
  putVolume(datacenter, {
    volid,
    storage,
    host: place,
    content: 'images',
    format,
    size,
    used,
    ctime: nowSeconds(datacenter),
    vmid,
    disk: {},
  })
}

function update(call: Call): null {
  const { datacenter, host } = call
  const volid = volidOf(call)
  const volume = findVolume(datacenter, volid, host)
  if (volume !== undefined && volume.content !== 'backup')
    throw died(find(call, 'notes') === undefined ? 'only backups can be protected' : 'only backups can have notes')
  if (volume === undefined) throw died(`volume '${volid}' does not exist`)
  const notes = find(call, 'notes')
  if (notes === '') delete volume.notes
  else if (notes !== undefined) volume.notes = notes
  const isProtected = find(call, 'protected')
  if (isProtected !== undefined) volume.protected = isProtected === '1'
  return null
}

const base = '/nodes/{node}/storage/{storage}/content'

export const contentRoutes: Routes = {
  [`GET ${base}`]: list,
  [`POST ${base}`]: allocate,
  [`GET ${base}/{volume}`]: read,
  [`PUT ${base}/{volume}`]: update,
  [`DELETE ${base}/{volume}`]: remove,
}
