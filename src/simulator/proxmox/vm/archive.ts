import type { DiskContent } from '../../core/guest.js'
import { died } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import type { FirewallState, VmState, VolumeState } from '../state.js'
import { findVolume } from '../storage/storages.js'
import { type Drive, isCdrom, isDriveKey, parseDrive } from './drive.js'

/** The content of a backup file: the VM with everything on its disks. */
export interface Archive {
  readonly config: Readonly<Record<string, string>>
  readonly firewall?: FirewallState
  readonly disks: readonly ArchivedDisk[]
}

export interface ArchivedDisk {
  /** `scsi0`. */
  readonly key: string
  readonly storage: string
  readonly format: string
  /** Bytes. */
  readonly size: number
  /** Bytes of it that are not empty. */
  readonly used: number
  readonly content: DiskContent
}

/** A drive of a VM, and whether backups include it. */
export interface BackupDrive {
  readonly drive: Drive
  readonly volume: VolumeState | undefined
  /** Why it is excluded. */
  readonly excluded?: string
}

/** The drives with data; CDs are silently omitted. */
export function backupDrives(datacenter: Datacenter, vm: VmState): BackupDrive[] {
  return Object.keys(vm.config)
    .filter(isDriveKey)
    .sort()
    .map((key) => parseDrive(datacenter.pve, key, vm.config[key] ?? ''))
    .filter((drive) => !isCdrom(drive))
    .map((drive) => {
      const excluded = whyExcluded(vm, drive)
      const volume = findVolume(datacenter, drive.file, vm.host)
      return { drive, volume, ...(excluded === undefined ? {} : { excluded }) }
    })
}

function whyExcluded({ config }: VmState, { key, options }: Drive): string | undefined {
  if (key.startsWith('efidisk') && config.bios !== 'ovmf') return 'efidisk but no OVMF BIOS'
  return options.backup === '0' ? 'backup=no' : undefined
}

const notArchived = /^(lock|parent|unused\d+)$/

/** The current state; pending changes and snapshots are not included. */
export function takeArchive(datacenter: Datacenter, vm: VmState): Archive {
  const firewall = datacenter.state.firewall[`vm/${vm.vmid}`]
  const archive: Archive = {
    config: Object.fromEntries(Object.entries(vm.config).filter(([key]) => !notArchived.test(key))),
    ...(firewall === undefined ? {} : { firewall }),
    disks: backupDrives(datacenter, vm).flatMap(({ drive, volume, excluded }) =>
      excluded === undefined && volume !== undefined ? [archiveDisk(drive, volume)] : [],
    ),
  }
  return structuredClone(archive)
}

function archiveDisk({ key }: Drive, { storage, format, size, used, disk }: VolumeState): ArchivedDisk {
  return { key, storage, format, size, used, content: disk }
}

export function packArchive(archive: Archive): Uint8Array {
  return new Uint8Array(Buffer.from(JSON.stringify(archive)))
}

/** What is in a backup file of the lab. */
export function openArchive({ volid, bytes }: VolumeState): Archive {
  if (bytes === undefined) throw died(`unable to read backup '${volid}'`)
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as Archive
}

/** The config file inside, as text: notes first, and at the end the device of each drive. */
export function configText({ config, disks }: Archive): string {
  const { description, ...options } = config
  const notes = description === undefined ? [] : description.replace(/\n$/, '').split('\n')
  const lines = [
    ...notes.map((line) => `#${line}`),
    ...Object.keys(options)
      .sort()
      .map((key) => `${key}: ${options[key] ?? ''}`),
    ...disks.map(({ key, storage, format }) => `#qmdump#map:${key}:${deviceOf(key)}:${storage}:${format}:`),
  ]
  return `${lines.join('\n')}\n`
}

/** QEMU's name of the drive inside a backup. */
export function deviceOf(key: string): string {
  return key === 'tpmstate0' ? 'drive-tpmstate0-backup' : `drive-${key}`
}
