import { GiB } from '../cluster/machine.js'
import { diskSize, diskVolume, isCdDrive } from './disk-option.js'
import { isSeedDisk } from './seed.js'

/** `disk scsi1 (100 GiB)`: every disk except the system disk and the seed, attached or not. */
export function dataDisks(options: Readonly<Record<string, string>>): string[] {
  return Object.entries(options)
    .filter(([slot]) => /^(scsi|virtio|sata|ide|unused)\d+$/.test(slot) && slot !== 'scsi0')
    .filter(([, option]) => !isSeedDisk(option) && !isCdDrive(option))
    .filter(([, option]) => diskVolume(option) !== undefined)
    .map(([slot, option]) => `disk ${slot}${sizeInWords(diskSize(option))}`)
}

function sizeInWords(bytes: number | undefined): string {
  return bytes === undefined ? '' : ` (${Math.round(bytes / GiB)} GiB)`
}
