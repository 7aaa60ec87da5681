import { parseDisk } from '../proxmox/model/options/disk.js'

/** The volume of a drive; `undefined` for a missing or empty drive. */
export function diskVolume(option: string | undefined): string | undefined {
  const { volume } = parseDisk(option ?? '')
  return volume === 'none' || volume === 'cdrom' ? undefined : volume
}

/** Size in bytes as the option states it, or `undefined`. */
export function diskSize(option: string | undefined): number | undefined {
  return parseDisk(option ?? '').size
}

/** Whether a drive has at least this many bytes. */
export function isLargeEnough(option: string | undefined, wanted: number): boolean {
  const size = diskSize(option)
  return size !== undefined && size >= wanted
}

/** Whether it is a CD drive, empty or not. */
export function isCdDrive(option: string | undefined): boolean {
  return parseDisk(option ?? '').media === 'cdrom'
}
