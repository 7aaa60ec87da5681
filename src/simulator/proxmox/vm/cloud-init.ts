import { plainIso } from '../../core/plain-iso.js'
import { died } from '../api-error.js'
import { type Datacenter, nowSeconds } from '../datacenter.js'
import type { StorageState, VmState, VolumeState } from '../state.js'
import { findVolume, isBlock, placeOf, putVolume, refuseWithoutRoom } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { cloudInitFiles } from './cloud-init-text.js'
import { isCloudInit, isDriveKey, parseDrive } from './drive.js'

const driveSize = 4 * 1024 ** 2

/** The key of a VM's cloud-init drive, other than the given one. */
export function findCloudInitKey(
  { pve }: Datacenter,
  options: Readonly<Record<string, string>>,
  except?: string,
): string | undefined {
  return Object.keys(options).find(
    (key) => key !== except && isDriveKey(key) && isCloudInit(parseDrive(pve, key, options[key] ?? '')),
  )
}

/** An empty drive; its content is written when the VM starts. */
export function allocateCloudInit(
  datacenter: Datacenter,
  storage: StorageState,
  { vmid, host }: VmState,
  wanted: string | undefined,
): VolumeState {
  const format = isBlock(storage) ? 'raw' : (wanted ?? 'qcow2')
  const name = `vm-${vmid}-cloudinit`
  const volid = isBlock(storage) ? `${storage.id}:${name}` : `${storage.id}:${vmid}/${name}.${format}`
  refuseWithoutRoom(datacenter, storage, host, 0, name)
  if (findVolume(datacenter, volid, host) !== undefined) throw died(`disk image '${name}' already exists`)
  return putVolume(datacenter, {
    volid,
    storage: storage.id,
    host: placeOf(storage, host),
    content: 'images',
    format,
    size: driveSize,
    used: 0,
    ctime: nowSeconds(datacenter),
    vmid,
    disk: {},
  })
}

/** Writes the drive from the VM's current config. */
export function writeCloudInit(datacenter: Datacenter, vm: VmState, worker?: Worker): void {
  const key = findCloudInitKey(datacenter, vm.config)
  const volume =
    key === undefined
      ? undefined
      : findVolume(datacenter, parseDrive(datacenter.pve, key, vm.config[key] ?? '').file, vm.host)
  if (volume === undefined) return
  worker?.log('generating cloud-init ISO')
  volume.bytes = plainIso('cidata', cloudInitFiles(datacenter, vm))
}
