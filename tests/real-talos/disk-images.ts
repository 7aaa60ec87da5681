import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataDiskGiB, type Subject } from './subject.js'

const GiB = 1024 ** 3

/** The partitions of Talos's disk image up to META, by which Talos knows that it is installed. It makes the others. */
const installed = [
  'label: gpt',
  'size=100MiB, type=U, name=EFI',
  'size=1MiB, type=21686148-6449-6E6F-744E-656564454649, name=BIOS',
  'size=1000MiB, type=L, name=BOOT',
  'size=1MiB, type=L, name=META',
].join('\n')

/** The disks of a VM as Proxmox would import and allocate them. */
export function diskImages(folder: string, { seed }: Pick<Subject, 'seed'>): Record<string, string> {
  const at = (slot: string) => join(folder, `${slot}.raw`)
  makeSystemDisk(at('scsi0'), 12 * GiB)
  makeEmptyDisk(at('scsi1'), dataDiskGiB * GiB)
  if (seed === undefined) return { scsi0: at('scsi0'), scsi1: at('scsi1') }
  writeFileSync(at('scsi30'), seed, { mode: 0o600 })
  return { scsi0: at('scsi0'), scsi1: at('scsi1'), scsi30: at('scsi30') }
}

/** As after the import of Talos's disk image. */
export function makeSystemDisk(file: string, bytes: number): void {
  makeEmptyDisk(file, bytes)
  const { status, stderr } = spawnSync('sfdisk', ['--quiet', file], { input: installed, encoding: 'utf8' })
  if (status !== 0) throw new Error(`sfdisk ended with ${status}: ${stderr}`)
}

export function makeEmptyDisk(file: string, bytes: number): void {
  writeFileSync(file, '', { mode: 0o600 })
  truncateSync(file, bytes)
}

/** Whether a partition of that name is there and starts as XFS does. */
export function hasXfs(file: string, label: string): boolean {
  const { stdout } = spawnSync('sfdisk', ['--json', file], { encoding: 'utf8' })
  const { partitiontable }: Partitions = JSON.parse(stdout)
  const start = partitiontable.partitions.find(({ name }) => name === label)?.start
  if (start === undefined) return false
  const bytes = Buffer.alloc(4)
  const disk = openSync(file, 'r')
  readSync(disk, bytes, 0, bytes.length, start * 512)
  closeSync(disk)
  return bytes.toString() === 'XFSB'
}

interface Partitions {
  readonly partitiontable: { readonly partitions: readonly { readonly name?: string; readonly start: number }[] }
}
