import { parsePropertyString } from './property-string.js'
import { parseSize } from './size.js'

export interface DiskOnStorage {
  readonly storage: string
  /** Bytes; 0 if the option does not state it. */
  readonly size: number
}

const slots = /^(scsi|virtio|sata|ide|efidisk|tpmstate|unused)\d+$/

/** Every disk of a VM, for any purpose; media in drives are not included. */
export function disksOnStorages(options: Readonly<Record<string, string>>): DiskOnStorage[] {
  return Object.entries(options).flatMap(([slot, option]) => {
    const drive = parsePropertyString(option)
    if (!slots.test(slot) || drive.get('media') === 'cdrom') return []
    const [storage, name] = (drive.head ?? drive.get('file') ?? '').split(':')
    if (storage === undefined || name === undefined) return []
    return [{ storage, size: parseSize(drive.get('size') ?? '') ?? 0 }]
  })
}
