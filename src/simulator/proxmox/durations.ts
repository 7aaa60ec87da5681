import type { StorageState } from './state.js'

const MiB = 1024 ** 2

/** Write speed of a storage in bytes per second, as on a small server. */
const rates: Record<string, number> = {
  dir: 250 * MiB,
  lvmthin: 350 * MiB,
  zfspool: 300 * MiB,
  nfs: 110 * MiB,
  rbd: 200 * MiB,
}

/** Model milliseconds for writing that many bytes. */
export function copyTime({ type }: StorageState, bytes: number): number {
  return 60 + (bytes / (rates[type] ?? 200 * MiB)) * 1000
}

/** Model milliseconds for reading that many bytes and computing their checksum. */
export function checksumTime(bytes: number): number {
  return 60 + (bytes / (500 * MiB)) * 1000
}

/** Model milliseconds for downloading that many bytes. */
export function downloadTime(bytes: number): number {
  return 500 + (bytes / (50 * MiB)) * 1000
}

/** Model milliseconds of the tasks whose work does not depend on a size. */
export const taskTime = {
  create: 100,
  poolEntry: 20,
  config: 50,
  start: 1200,
  stop: 800,
  resize: 700,
  linkedClone: 500,
  template: 800,
  destroy: 900,
  snapshot: 600,
  removeFile: 150,
  upload: 150,
  migratePerGiB: 8000,
} as const
