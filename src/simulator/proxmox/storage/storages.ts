import { died } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import { copyTime } from '../durations.js'
import { splitList } from '../schema/formats.js'
import { type StorageState, type VolumeState, volumeKey } from '../state.js'
import { refuseReadOnly, slowdownOf } from '../trouble.js'

const blockTypes = new Set(['lvm', 'lvmthin', 'zfspool', 'rbd'])
const sharedTypes = new Set(['nfs', 'cifs', 'rbd', 'cephfs', 'pbs', 'iscsi'])

/** File storages keep images in folders; block storages as separate volumes. */
export function isBlock({ type }: StorageState): boolean {
  return blockTypes.has(type)
}

export function isShared({ type, options }: StorageState): boolean {
  return sharedTypes.has(type) || options.shared === '1'
}

export function isDisabled({ options }: StorageState): boolean {
  return options.disable === '1'
}

export function isOnHost({ options }: StorageState, host: string): boolean {
  return options.nodes === undefined || splitList(options.nodes).includes(host)
}

export function contentOf({ options }: StorageState): string[] {
  return splitList(options.content ?? 'images,rootdir').filter((content) => content !== 'none')
}

export function findStorage({ state }: Datacenter, id: string): StorageState | undefined {
  return state.storages[id]
}

/** A storage that can be used on that host, or the original's error. */
export function getStorage(datacenter: Datacenter, id: string, host: string): StorageState {
  const storage = findStorage(datacenter, id)
  if (storage === undefined) throw died(`storage '${id}' does not exist`)
  if (isDisabled(storage)) throw died(`storage '${id}' is disabled`)
  if (!isOnHost(storage, host)) throw died(`storage '${id}' is not available on node '${host}'`)
  return storage
}

/** The host part of a volume's key. */
export function placeOf(storage: StorageState, host: string): string {
  return isShared(storage) ? '' : host
}

export function findVolume(datacenter: Datacenter, volid: string, host: string): VolumeState | undefined {
  const storage = findStorage(datacenter, volid.split(':')[0] ?? '')
  return storage === undefined ? undefined : datacenter.state.volumes[volumeKey(volid, placeOf(storage, host))]
}

export function putVolume({ state }: Datacenter, volume: VolumeState): VolumeState {
  state.volumes[volumeKey(volume.volid, volume.host)] = volume
  return volume
}

export function dropVolume({ state }: Datacenter, volume: VolumeState): void {
  delete state.volumes[volumeKey(volume.volid, volume.host)]
}

export function volumesOn({ state }: Datacenter, storage: StorageState, host: string): VolumeState[] {
  const place = placeOf(storage, host)
  return Object.values(state.volumes).filter((volume) => volume.storage === storage.id && volume.host === place)
}

/** The path of a volume, as the original prints it. */
export function pathOf(storage: StorageState, volid: string): string {
  const name = volid.slice(storage.id.length + 1)
  if (storage.type === 'lvm' || storage.type === 'lvmthin') return `/dev/${storage.options.vgname ?? 'pve'}/${name}`
  if (storage.type === 'zfspool') return `/dev/zvol/${storage.options.pool ?? 'rpool/data'}/${name}`
  if (storage.type === 'rbd') return `rbd:${storage.options.pool ?? 'rbd'}/${name}`
  const base = storage.options.path ?? `/mnt/pve/${storage.id}`
  const [kind = '', ...rest] = name.split('/')
  if (kind === 'iso' || kind === 'vztmpl')
    return `${base}/template/${kind === 'iso' ? 'iso' : 'cache'}/${rest.join('/')}`
  if (kind === 'backup') return `${base}/dump/${rest.join('/')}`
  if (kind === 'import' || kind === 'snippets') return `${base}/${name}`
  const image = name.split('/').slice(-2).join('/')
  return `${base}/images/${image}`
}

/** Bytes used by all volumes, by place and storage: for queries about all storages. */
export function usageByPlace({ state }: Datacenter): Map<string, number> {
  const usage = new Map<string, number>()
  for (const { host, storage, used } of Object.values(state.volumes)) {
    const key = `${host}|${storage}`
    usage.set(key, (usage.get(key) ?? 0) + used)
  }
  return usage
}

/** Bytes used by the volumes of one storage, on one host unless it is shared. */
function usageOn({ state }: Datacenter, storage: StorageState, host: string): number {
  const place = placeOf(storage, host)
  let bytes = 0
  for (const volume of Object.values(state.volumes))
    if (volume.storage === storage.id && volume.host === place) bytes += volume.used
  return bytes
}

/** File systems keep a twentieth for root: it is neither used nor free. The tools of block storages keep nothing. */
const reservedShare = 0.05

/** Total, used and free bytes. `fillStorage` sets the free ones, whatever it contains. */
export function capacityOf(
  datacenter: Datacenter,
  storage: StorageState,
  host: string,
  usage?: ReadonlyMap<string, number>,
): { total: number; used: number; avail: number } {
  const key = `${placeOf(storage, host)}|${storage.id}`
  const filled = datacenter.state.filled[key]
  const { total } = storage
  const reserved = isBlock(storage) ? 0 : Math.floor(total * reservedShare)
  const held = usage === undefined ? usageOn(datacenter, storage, host) : (usage.get(key) ?? 0)
  const avail = Math.max(0, filled ?? total - reserved - held)
  return { total, used: Math.max(0, total - reserved - avail), avail }
}

/** Model milliseconds for writing that many bytes there. */
export function copyTimeOn({ trouble }: Datacenter, storage: StorageState, host: string, bytes: number): number {
  return copyTime(storage, bytes) * slowdownOf(trouble, host, storage.id)
}

/** Fails like the storage's tools if there is no space for that many bytes. */
export function refuseWithoutRoom(
  datacenter: Datacenter,
  storage: StorageState,
  host: string,
  bytes: number,
  volume: string,
): void {
  refuseReadOnly(datacenter.trouble, host, storage.id, pathOf(storage, `${storage.id}:${volume}`))
  if (capacityOf(datacenter, storage, host).avail >= bytes) return
  if (storage.type === 'lvmthin')
    throw died(
      `lvcreate '${storage.options.vgname ?? 'pve'}/${volume}' error:   Cannot create new thin volume, free space in thin pool ${storage.options.vgname ?? 'pve'}/${storage.options.thinpool ?? 'data'} reached threshold.`,
    )
  if (storage.type === 'zfspool')
    throw died(`zfs error: cannot create '${storage.options.pool ?? 'rpool/data'}/${volume}': out of space`)
  throw died(`unable to write '${pathOf(storage, `${storage.id}:${volume}`)}' - No space left on device`)
}

/** Subtracts bytes from the free space set by `fillStorage`. */
export function takeRoom(datacenter: Datacenter, storage: StorageState, host: string, bytes: number): void {
  const key = `${placeOf(storage, host)}|${storage.id}`
  const filled = datacenter.state.filled[key]
  if (filled !== undefined) datacenter.state.filled[key] = Math.max(0, filled - bytes)
}
