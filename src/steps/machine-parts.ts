import type { Desired, DesiredDisk, DesiredMachine } from '../desired/desired.js'
import { writeMark } from '../ownership/mark.js'
import type { VmOptions } from '../proxmox/client/port.js'
import { diskVolume } from './disk-option.js'
import { imageOf, volidOf } from './fetch-image.js'
import type { OwnedVm } from './owned-vm.js'

/** What a new machine still lacks: its disks, its identity if it is a clone, its media, its tags. */
export function missingParts(
  wanted: DesiredMachine,
  owned: OwnedVm,
  desired: Desired,
  seed: string | undefined,
): VmOptions {
  return {
    ...missingDisks(wanted, owned.config.options, desired),
    ...identityOf(wanted, owned),
    ...media(wanted, desired, seed),
    tags: desired.cluster.tags.join(';'),
  }
}

/** Disks that a machine lacks, and the order in which it boots from them. */
export function missingDisks(
  wanted: DesiredMachine,
  options: Readonly<Record<string, string>>,
  desired: Desired,
): Record<string, string> {
  const isMissing = (slot: string) => diskVolume(options[slot]) === undefined
  const { efi, tpm } = wanted
  return {
    ...Object.fromEntries(
      wanted.disks.filter(({ slot }) => isMissing(slot)).map((disk) => [disk.slot, diskOption(disk, wanted, desired)]),
    ),
    ...(efi && isMissing('efidisk0') ? { efidisk0: `${efi.datastore}:0,efitype=4m,pre-enrolled-keys=0` } : {}),
    ...(tpm && isMissing('tpmstate0') ? { tpmstate0: `${tpm.datastore}:0,version=v2.0` } : {}),
    ...((options.boot ?? '').includes('scsi0') ? {} : { boot: bootOrder(desired) }),
  }
}

/** A clone gets the hardware and the identity of its machine, and from then on its mark must be true. */
function identityOf(wanted: DesiredMachine, { mark, config }: OwnedVm): Record<string, string> {
  if (mark.more?.identity !== 'pending') return {}
  const { identity: _, ...more } = mark.more
  const options = Object.entries(wanted.options).map(([key, value]) => [
    key,
    typeof value === 'boolean' ? (value ? '1' : '0') : String(value),
  ])
  return { ...Object.fromEntries(options), description: writeMark(config.options.description ?? '', { ...mark, more }) }
}

/** The config ISO stands in the drive that the claim made, the installation ISO in a second one. */
function media(wanted: DesiredMachine, desired: Desired, seed: string | undefined): Record<string, string> {
  const isInstalled = desired.cluster.boot === 'iso'
  return {
    boot: bootOrder(desired),
    ...(isInstalled ? { ide2: `${volidOf(imageOf(desired, wanted.image))},media=cdrom` } : {}),
    ...(seed === undefined ? {} : { [isInstalled ? 'ide0' : 'ide2']: `${seed},media=cdrom` }),
  }
}

function bootOrder({ cluster }: Desired): string {
  return cluster.boot === 'iso' ? 'order=scsi0;ide2' : 'order=scsi0'
}

/** The system disk is made from an image: it is neither cloned nor left to an installer. */
export function importsDisk({ template }: DesiredMachine, { cluster }: Desired): boolean {
  return template === undefined && cluster.boot !== 'iso'
}

function diskOption(disk: DesiredDisk, wanted: DesiredMachine, desired: Desired): string {
  const flags = Object.entries(disk.flags).map(([key, value]) => `,${key}=${value}`)
  const serial = disk.serial === undefined ? '' : `,serial=${disk.serial}`
  if (disk.slot === 'scsi0' && importsDisk(wanted, desired))
    return `${disk.datastore}:0,import-from=${volidOf(imageOf(desired, wanted.image))}${serial}${flags.join('')}`
  return `${disk.datastore}:${disk.size / 1024 ** 3}${serial}${flags.join('')}`
}
