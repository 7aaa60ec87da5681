import { createHash } from 'node:crypto'
import type { Hardware, VirtualDisk } from '../../core/guest.js'
import { linksOf } from './disk-links.js'

export interface BlockDevice {
  /** `sda`. */
  readonly id: string
  readonly path: string
  readonly size: number
  /** Empty for SCSI and virtio disks: the kernels of Talos up to 1.14 (6.18) do not report it. */
  readonly serial: string
  readonly wwid: string
  readonly isCd: boolean
  readonly transport: 'virtio' | 'sata' | ''
  readonly links: readonly string[]
  readonly disk?: VirtualDisk
}

/** The block devices by the kernel's names: virtio as `vda`, everything else as `sda`, CDs as `sr0`. */
export function blockDevices(hardware: Hardware): BlockDevice[] {
  const counts = { sd: 0, vd: 0 }
  const named = inKernelOrder(hardware).map((disk, position): BlockDevice => {
    const prefix = disk.slot.startsWith('virtio') ? 'vd' : 'sd'
    const id = `${prefix}${String.fromCharCode(97 + counts[prefix]++)}`
    const wwid = disk.wwn === undefined ? '' : `naa.${disk.wwn.slice(2).toLowerCase()}`
    const links = linksOf(disk, position, hardware)
    const transport = transportOf(disk, hardware)
    return { id, path: `/dev/${id}`, size: disk.size, serial: '', wwid, isCd: false, transport, links, disk }
  })
  const drives = hardware.cds.map((cd, index): BlockDevice => {
    const size = cd.bytes().byteLength
    const links = [`/dev/disk/by-diskseq/${named.length + index + 1}`]
    return {
      id: `sr${index}`,
      path: `/dev/sr${index}`,
      size,
      serial: '',
      wwid: '',
      isCd: true,
      transport: 'sata',
      links,
    }
  })
  return [...named, ...drives]
}

/** The device of a path or of one of its links, as Talos resolves both. */
export function findDevice(hardware: Hardware, path: string): BlockDevice | undefined {
  return blockDevices(hardware).find((device) => device.path === path || device.links.includes(path))
}

function transportOf({ slot }: VirtualDisk, { scsiController }: Hardware): BlockDevice['transport'] {
  if (slot.startsWith('virtio')) return 'virtio'
  if (!slot.startsWith('scsi')) return 'sata'
  return scsiController.startsWith('virtio') ? 'virtio' : ''
}

const controllers = ['sata', 'ide', 'virtio']

/** The kernel probes SCSI disks at once: their names differ from boot to boot, and here from machine to machine. */
function inKernelOrder({ disks, uuid }: Hardware): VirtualDisk[] {
  const isScsi = ({ slot }: VirtualDisk) => slot.startsWith('scsi')
  const chance = ({ slot }: VirtualDisk) => createHash('sha256').update(`${uuid} ${slot}`).digest('hex')
  const scsi = disks.filter(isScsi).map((disk) => ({ disk, at: chance(disk) }))
  const probed = scsi.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map(({ disk }) => disk)
  return [...probed, ...disks.filter((disk) => !isScsi(disk)).toSorted(bySlot)]
}

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
