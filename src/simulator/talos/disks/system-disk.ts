import type { Hardware, MediumInfo, VirtualDisk } from '../../core/guest.js'
import { decodeMedium } from '../../core/medium.js'
import { minorOf } from '../config/talos-version.js'
import type { Partition } from './partitions.js'

/** The content of a boot slot. */
export interface BootAsset {
  readonly talos: string
  readonly schematic: string
  readonly platform: 'nocloud' | 'metal'
  readonly arch: 'amd64' | 'arm64'
  readonly extensions: readonly string[]
  readonly kernelArgs: readonly string[]
  readonly secureBoot: boolean
  /** Hangs in its first boot: the loader falls back to the other slot. */
  readonly isBroken?: boolean
}

export type Slot = 'A' | 'B'

/** Talos on a disk. Its partitions: two boot slots, META, STATE and EPHEMERAL. */
export interface InstalledSystem {
  kind: 'talos'
  slots: Partial<Record<Slot, BootAsset>>
  /** The running slot. */
  running?: Slot
  /** The slot for the next boot. */
  boot: Slot
  /** By decimal key; values in base64. */
  meta: Record<string, string>
  /** Missing until the first boot, or after a wipe. */
  state?: { nodeId: string; config?: string }
  ephemeral?: Ephemeral
  /** The keys of Secure Boot are in the firmware. */
  hasKeys?: boolean
  /** Partitions of user volumes, after those of Talos. */
  volumes?: Partition[]
  /** Installer that the next boot runs first. */
  staged?: string
}

interface Ephemeral {
  etcd?: EtcdDataDirectory
  /** Images that were pulled. */
  images: string[]
}

/** The etcd cluster and member of the data here. */
export interface EtcdDataDirectory {
  readonly cluster: string
  readonly member: string
  /** The file is damaged: etcd does not start with it. */
  readonly isCorrupt?: boolean
}

export type BootSource =
  | { readonly kind: 'disk'; readonly disk: VirtualDisk; readonly system: InstalledSystem }
  | { readonly kind: 'iso'; readonly asset: BootAsset }

/** What the firmware finds first in the boot order; `undefined` if nothing can boot. */
export function findBootSource(hardware: Hardware): BootSource | undefined {
  const order = hardware.bootOrder.length > 0 ? hardware.bootOrder : everyDrive(hardware)
  for (const slot of order) {
    const source = fromDisk(hardware, slot) ?? fromCd(hardware, slot)
    if (source !== undefined) return source
  }
  return undefined
}

/** The disk with the installed Talos, whatever the boot source. */
export function findSystemDisk(hardware: Hardware): { disk: VirtualDisk; system: InstalledSystem } | undefined {
  for (const disk of hardware.disks) {
    const system = findSystem(disk)
    if (system !== undefined) return { disk, system }
  }
  return undefined
}

/** Writes a new system, as the installer does on an empty or foreign disk. */
export function installSystem(disk: VirtualDisk, asset: BootAsset): InstalledSystem {
  const system: InstalledSystem = { kind: 'talos', slots: { A: asset }, boot: 'A', meta: {} }
  wipeDisk(disk)
  disk.content.guest = system
  return system
}

export function wipeDisk(disk: VirtualDisk): void {
  delete disk.content.image
  delete disk.content.guest
}

export function otherSlot(slot: Slot): Slot {
  return slot === 'A' ? 'B' : 'A'
}

export function assetOf(medium: MediumInfo): BootAsset {
  const { talos, schematic, platform, arch, extensions, kernelArgs, secureBoot } = medium
  return { talos, schematic, platform, arch, extensions, kernelArgs, secureBoot }
}

function fromDisk(hardware: Hardware, slot: string): BootSource | undefined {
  const disk = hardware.disks.find((candidate) => candidate.slot === slot)
  const system = disk === undefined ? undefined : findSystem(disk)
  if (disk === undefined || system === undefined || !canStart(hardware, system.slots[system.boot])) return undefined
  return { kind: 'disk', disk, system }
}

function fromCd(hardware: Hardware, slot: string): BootSource | undefined {
  const cd = hardware.cds.find((candidate) => candidate.slot === slot)
  const medium = cd === undefined ? undefined : decodeMedium(cd.bytes())
  if (medium?.kind !== 'iso' || !canStart(hardware, assetOf(medium))) return undefined
  return { kind: 'iso', asset: assetOf(medium) }
}

/** Secure Boot assets have only a UEFI loader. */
function canStart(hardware: Hardware, asset: BootAsset | undefined): boolean {
  return asset !== undefined && (!asset.secureBoot || hardware.firmware === 'ovmf')
}

/** An imported image becomes a system in place: META exists, STATE and EPHEMERAL do not yet. */
function findSystem(disk: VirtualDisk): InstalledSystem | undefined {
  const guest = disk.content.guest as Partial<InstalledSystem> | undefined
  if (guest?.kind === 'talos') return guest as InstalledSystem
  const image = disk.content.image
  if (image?.kind !== 'disk-image') return undefined
  const system = installSystem(disk, assetOf(image))
  // An image enrols them itself since 1.14.
  if (image.secureBoot && minorOf(image.talos) >= 14) system.hasKeys = true
  return system
}

function everyDrive({ disks, cds }: Hardware): string[] {
  return [...disks.map(({ slot }) => slot), ...cds.map(({ slot }) => slot)]
}
