import type { DiskContent } from '../../core/guest.js'
import { died } from '../api-error.js'
import { type Datacenter, nowSeconds } from '../datacenter.js'
import type { StorageState, VolumeState } from '../state.js'
import { findVolume, isBlock, pathOf, placeOf, putVolume, refuseWithoutRoom, takeRoom, volumesOn } from './storages.js'

export interface NewImage {
  readonly vmid: number
  readonly host: string
  readonly format: string
  /** Bytes. */
  readonly size: number
  /** Bytes written at once: a copy takes as many as its source, an empty disk none. */
  readonly used?: number
  readonly disk?: DiskContent
  readonly prefix?: 'vm' | 'base'
  /** The base of a linked clone. */
  readonly base?: VolumeState
}

/** The lowest free number of that VM's disks on the storage. */
function freeName(datacenter: Datacenter, storage: StorageState, { vmid, host, prefix = 'vm' }: NewImage): string {
  const taken = new Set(
    volumesOn(datacenter, storage, host).flatMap(({ volid }) => {
      const number = new RegExp(`(?:vm|base)-${vmid}-disk-(\\d+)`).exec(volid.split('/').at(-1) ?? '')?.[1]
      return number === undefined ? [] : [Number(number)]
    }),
  )
  let n = 0
  while (taken.has(n)) n++
  return `${prefix}-${vmid}-disk-${n}`
}

/** The default format of an image on a storage, or its fallback. */
export function formatOn(storage: StorageState, wanted: string | undefined): string {
  if (isBlock(storage)) return 'raw'
  return wanted ?? storage.options.format ?? 'raw'
}

function volumeIdOf(storage: StorageState, vmid: number, name: string, format: string, base?: VolumeState): string {
  if (!isBlock(storage)) {
    const parent = base === undefined ? '' : `${base.volid.slice(storage.id.length + 1)}/`
    return `${storage.id}:${parent}${vmid}/${name}.${format}`
  }
  const hasBaseInName = base !== undefined && (storage.type === 'zfspool' || storage.type === 'rbd')
  return `${storage.id}:${hasBaseInName ? `${base.volid.slice(storage.id.length + 1)}/` : ''}${name}`
}

/** Creates a disk image on a storage that was checked before. */
export function allocateImage(datacenter: Datacenter, storage: StorageState, image: NewImage): VolumeState {
  const format = formatOn(storage, image.format)
  const name = freeName(datacenter, storage, image)
  refuseWithoutRoom(datacenter, storage, image.host, image.used ?? 0, name)
  takeRoom(datacenter, storage, image.host, image.used ?? 0)
  return putVolume(datacenter, {
    volid: volumeIdOf(storage, image.vmid, name, format, image.base),
    storage: storage.id,
    host: placeOf(storage, image.host),
    content: 'images',
    format,
    size: image.size,
    used: image.used ?? 0,
    ctime: nowSeconds(datacenter),
    vmid: image.vmid,
    ...(image.base === undefined ? {} : { parent: parentName(storage, image.base) }),
    disk: image.disk ?? {},
  })
}

function parentName(storage: StorageState, base: VolumeState): string {
  return isBlock(storage)
    ? `${base.volid.slice(storage.id.length + 1)}@__base__`
    : `../${base.volid.slice(storage.id.length + 1)}`
}

/** Refuses to remove the base of linked clones; LVM-thin does not check. */
export function refuseIfBase(
  datacenter: Datacenter,
  storage: StorageState,
  volume: VolumeState,
  ending: 'cloned' | 'clones',
): void {
  if (storage.type === 'lvmthin' || !/\bbase-\d+-disk-/.test(volume.volid)) return
  const inside = `${volume.volid}/`
  const isUsed = volumesOn(datacenter, storage, volume.host).some(({ volid }) => volid.startsWith(inside))
  if (isUsed)
    throw died(
      `base volume '${ending === 'clones' ? volume.volid.slice(storage.id.length + 1) : volume.volid}' is still in use by linked ${ending}`,
    )
}

export function getImage(datacenter: Datacenter, storage: StorageState, volid: string, host: string): VolumeState {
  const volume = findVolume(datacenter, volid, host)
  if (volume === undefined) throw died(`failed to stat '${pathOf(storage, volid)}'`)
  return volume
}
