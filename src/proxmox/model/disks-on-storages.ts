import { parsePropertyString } from './property-string.js'
import { parseSize } from './size.js'

export interface DiskOnStorage {
  readonly storage: string
  /** Bytes; none where the option does not say. */
  readonly size: number
}

const slots = /^(scsi|virtio|sata|ide|efidisk|tpmstate|unused)\d+$/

/** Every disk of a VM, whatever it is for; media in drives are not among them. */
export function disksOnStorages(options: Readonly<Record<string, string>>): DiskOnStorage[] {
  return Object.entries(options).flatMap(([slot, option]) => {
    const drive = parsePropertyString(option)
    if (!slots.test(slot) || drive.get('media') === 'cdrom') return []
    const [storage, name] = (drive.head ?? drive.get('file') ?? '').split(':')
    if (storage === undefined || name === undefined) return []
    return [{ storage, size: parseSize(drive.get('size') ?? '') ?? 0 }]
  })
}
