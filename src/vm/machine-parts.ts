import { GiB } from '../cluster/machine.js'
import type { Desired, DesiredDisk, DesiredMachine } from '../desired/desired.js'
import type { VmOptions } from '../proxmox/client/port.js'
import { optionText } from '../proxmox/model/option-text.js'
import { parseBoot, writeBoot } from '../proxmox/model/options/boot.js'
import { importedDisk, newEfiDisk, newTpmState, writeDisk, writeDrive } from '../proxmox/model/options/disk.js'
import { imageOf, volidOf } from './desired-parts.js'
import { diskVolume } from './disk-option.js'
import { marked } from './marked.js'
import type { OwnedVm } from './owned-vm.js'
import { seedSerial } from './seed.js'

/**
 * The empty CD drives of a machine, and a boot order that names them. They exist from creation on: Proxmox appends a
 * drive that is missing from the current order, which can undo an order that is set in the same call.
 */
export function emptyDrives({ drives }: Pick<DesiredMachine, 'drives'>): Record<string, string> {
  const slots = slotsOf(drives)
  if (slots.length === 0) return {}
  return { ...Object.fromEntries(slots.map((slot) => [slot, writeDrive()])), boot: writeBoot(slots) }
}

/** The inputs that consent covers: the options, and of the identity what does not follow from the secrets. */
export function optionInputs({ options: { smbios1: _, ...options }, machine }: DesiredMachine): object {
  return { ...options, uuid: machine.identity.uuid }
}

/** What a new machine still lacks: disks, media, and its identity if it is a clone. */
export function missingParts(
  wanted: DesiredMachine,
  owned: OwnedVm,
  desired: Desired,
  seed: string | undefined,
): VmOptions {
  return {
    ...missingDisks(wanted, owned.config.options, desired),
    ...identityOf(wanted, owned, desired),
    ...media(wanted, desired, seed),
    boot: bootOrder(wanted),
  }
}

/** Disks that a machine lacks, and its boot order. */
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
    ...(efi && isMissing('efidisk0') ? { efidisk0: newEfiDisk(efi.datastore) } : {}),
    ...(tpm && isMissing('tpmstate0') ? { tpmstate0: newTpmState(tpm.datastore) } : {}),
    ...(parseBoot(options.boot ?? '').includes('scsi0') ? {} : { boot: bootOrder(wanted) }),
  }
}

/** A clone gets the hardware and identity of its machine. From then on its mark must match. */
function identityOf(wanted: DesiredMachine, { mark, config }: OwnedVm, desired: Desired): Record<string, string> {
  if (mark.more?.identity !== 'pending') return {}
  const { identity: _, ...more } = mark.more
  const options = Object.entries(wanted.options).map(([key, value]) => [key, optionText(value)])
  return {
    ...Object.fromEntries(options),
    onboot: '0',
    description: marked(config.options.description, { ...mark, more }, desired),
  }
}

/** The installation medium, and the seed as a disk of the VM or in a separate drive. */
function media(wanted: DesiredMachine, desired: Desired, seed: string | undefined): Record<string, string> {
  const { drives, seed: kind, disks } = wanted
  const image = drives.install === undefined ? undefined : writeDrive(volidOf(imageOf(desired, wanted.image)))
  return {
    ...(drives.install === undefined || image === undefined ? {} : { [drives.install]: image }),
    ...(seed === undefined
      ? {}
      : kind.kind === 'disk'
        ? {
            [kind.slot]: writeDisk({
              volume: `${disks[0]?.datastore}:0`,
              importFrom: seed,
              serial: seedSerial,
              backup: false,
            }),
          }
        : { [kind.slot]: writeDrive(seed) }),
  }
}

/** The system disk first. Drives that Proxmox would append are named. */
export function bootOrder({ drives }: Pick<DesiredMachine, 'drives'>): string {
  return writeBoot(['scsi0', ...slotsOf(drives)])
}

function slotsOf({ install, seed }: DesiredMachine['drives']): string[] {
  return [install, seed].filter((slot) => slot !== undefined)
}

/** The system disk is imported from an image: neither cloned nor written by an installer. */
export function importsDisk({ template }: DesiredMachine, { cluster }: Desired): boolean {
  return template === undefined && cluster.boot !== 'iso'
}

function diskOption(disk: DesiredDisk, wanted: DesiredMachine, desired: Desired): string {
  const more = { ...disk.flags, ...(disk.serial === undefined ? {} : { serial: disk.serial }) }
  if (disk.slot === 'scsi0' && importsDisk(wanted, desired))
    return importedDisk(disk.datastore, volidOf(imageOf(desired, wanted.image)), more)
  return writeDisk({ volume: `${disk.datastore}:${disk.size / GiB}`, ...more })
}
