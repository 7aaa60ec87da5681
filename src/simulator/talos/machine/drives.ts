import type { Hardware, VirtualDisk } from '../../guest.js'

export interface BlockDevice {
  /** `sda`. */
  readonly id: string
  readonly path: string
  readonly size: number
  readonly serial: string
  readonly isCd: boolean
  readonly transport: 'virtio' | 'sata'
  readonly disk?: VirtualDisk
}

/** The block devices in kernel order: virtio as `vda`, everything else as `sda`, CDs as `sr0`. */
export function blockDevices({ disks, cds }: Hardware): BlockDevice[] {
  const counts = { sd: 0, vd: 0 }
  const named = [...disks].sort(bySlot).map((disk): BlockDevice => {
    const prefix = disk.slot.startsWith('virtio') ? 'vd' : 'sd'
    const id = `${prefix}${String.fromCharCode(97 + counts[prefix]++)}`
    const transport = /^(virtio|scsi)/.test(disk.slot) ? 'virtio' : 'sata'
    return { id, path: `/dev/${id}`, size: disk.size, serial: disk.serial ?? '', isCd: false, transport, disk }
  })
  const drives = cds.map((cd, index): BlockDevice => {
    const size = cd.bytes().byteLength
    return { id: `sr${index}`, path: `/dev/sr${index}`, size, serial: 'QM00003', isCd: true, transport: 'sata' }
  })
  return [...named, ...drives]
}

const controllers = ['scsi', 'sata', 'ide', 'virtio']

function bySlot(a: VirtualDisk, b: VirtualDisk): number {
  const rank = ({ slot }: VirtualDisk) => {
    const [, kind = '', index = '0'] = /^([a-z]+)(\d+)$/.exec(slot) ?? []
    return controllers.indexOf(kind) * 100 + Number(index)
  }
  return rank(a) - rank(b)
}

/** Disks with a small imported image, such as a seed. */
export function rawDisks({ disks }: Hardware): { bytes(): Uint8Array }[] {
  return disks.flatMap(({ content: { raw } }) =>
    raw === undefined ? [] : [{ bytes: () => Buffer.from(raw, 'base64') }],
  )
}
