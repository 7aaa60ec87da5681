import { parseDisk } from '../proxmox/model/options/disk.js'

/** The volume behind a drive; `undefined` for no drive and for an empty one. */
export function diskVolume(option: string | undefined): string | undefined {
  const { volume } = parseDisk(option ?? '')
  return volume === 'none' || volume === 'cdrom' ? undefined : volume
}

/** Bytes, as the drive itself reports; `undefined` when it does not. */
export function diskSize(option: string | undefined): number | undefined {
  return parseDisk(option ?? '').size
}

/** Whether a drive has at least so many bytes. */
export function isLargeEnough(option: string | undefined, wanted: number): boolean {
  const size = diskSize(option)
  return size !== undefined && size >= wanted
}

/** Whether it is a CD drive, with or without something in it. */
export function isCdDrive(option: string | undefined): boolean {
  return parseDisk(option ?? '').media === 'cdrom'
}
