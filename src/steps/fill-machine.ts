import type { DesiredDisk, DesiredMachine } from '../desired/desired.js'
import { type Mark, writeMark } from '../ownership/mark.js'
import type { VmOptions } from '../proxmox/port.js'
import type { World } from '../world.js'
import { diskVolume } from './disk-option.js'
import { imageOf, volidOf } from './fetch-image.js'
import { withMachine } from './observed-change.js'
import { findOwned, getOwned, machineOf, type OwnedVm, settle } from './owned-vm.js'
import { seedPrefix, uploadSeed } from './seed.js'
import { defineStep, type StepContext } from './step.js'
import { taskProgress } from './task-progress.js'

/** Disks, medium and boot order: one upload and one config call make the empty VM bootable. */
export const fillMachine = defineStep<{ machine: string }>({
  kind: 'fill-machine',
  title: ({ machine }, desired) =>
    `give ${machine} its disks${desired.cluster.delivery === 'cidata' ? ' and its config' : ''}`,
  lane: ({ machine }, desired) => {
    const { host, disks } = machineOf(desired, machine)
    return { name: `storage:${host}/${disks[0]?.datastore ?? ''}`, limit: 2 }
  },
  changes: true,
  disruptive: false,
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    return owned !== undefined && isFilled(machineOf(context.desired, machine), owned.config.options, owned.mark)
  },
  async run({ machine }, world, context) {
    const wanted = machineOf(context.desired, machine)
    const before = await getOwned(machine, world, context)
    await settle(before, world, context)
    const owned = await getOwned(machine, world, context)
    if (isFilled(wanted, owned.config.options, owned.mark)) return
    const seed =
      context.desired.cluster.delivery === 'cidata' ? await uploadSeed(owned.host, wanted, world, context) : undefined
    await configure(owned, missingParts(wanted, owned, context, seed), world, context)
  },
  effect: ({ machine }, observed, desired) =>
    withMachine(observed, desired, machine, ({ options }) => ({
      options: { ...options, ...plannedParts(machineOf(desired, machine), desired.cluster) },
    })),
})

async function configure(owned: OwnedVm, set: VmOptions, world: World, context: StepContext): Promise<void> {
  context.assertLease()
  try {
    const task = await world.proxmox.machines.configure(owned, { set, digest: owned.config.digest }, context.signal)
    await world.proxmox.tasks.wait(task, context.signal, taskProgress(context))
  } catch (thrown) {
    if ((thrown as { kind?: unknown }).kind !== 'forbidden-tag' || set.tags === undefined) throw thrown
    context.note('this token may not set tags: the machine goes without')
    const { tags: _, ...rest } = set
    const mark = { ...owned.mark, more: { ...owned.mark.more, tags: 'forbidden' } }
    await configure(
      owned,
      { ...rest, description: writeMark(owned.config.options.description ?? '', mark) },
      world,
      context,
    )
  }
}

/** Complete when it has its identity, every disk has a volume, and the boot order names the system disk. */
export function isFilled(wanted: DesiredMachine, options: Readonly<Record<string, string>>, mark: Mark): boolean {
  if (mark.more?.identity === 'pending') return false
  const slots = [
    ...wanted.disks.map(({ slot }) => slot),
    ...(wanted.efi ? ['efidisk0'] : []),
    ...(wanted.tpm ? ['tpmstate0'] : []),
  ]
  return slots.every((slot) => diskVolume(options[slot]) !== undefined) && (options.boot ?? '').includes('scsi0')
}

function missingParts(
  wanted: DesiredMachine,
  owned: OwnedVm,
  context: StepContext,
  seed: string | undefined,
): VmOptions {
  const { options } = owned.config
  const set: Record<string, string> = {}
  for (const disk of wanted.disks) {
    if (diskVolume(options[disk.slot]) === undefined) set[disk.slot] = diskOption(disk, wanted, context)
  }
  if (wanted.efi && diskVolume(options.efidisk0) === undefined) {
    set.efidisk0 = `${wanted.efi.datastore}:0,efitype=4m,pre-enrolled-keys=0`
  }
  if (wanted.tpm && diskVolume(options.tpmstate0) === undefined)
    set.tpmstate0 = `${wanted.tpm.datastore}:0,version=v2.0`
  Object.assign(set, identityOf(wanted, owned), media(wanted, context, seed))
  set.tags = context.desired.cluster.tags.join(';')
  return set
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
function media(wanted: DesiredMachine, { desired }: StepContext, seed: string | undefined): Record<string, string> {
  if (desired.cluster.boot !== 'iso') {
    return { boot: 'order=scsi0', ...(seed === undefined ? {} : { ide2: `${seed},media=cdrom` }) }
  }
  const iso = volidOf(imageOf(desired, wanted.image))
  return {
    boot: 'order=scsi0;ide2',
    ide2: `${iso},media=cdrom`,
    ...(seed === undefined ? {} : { ide0: `${seed},media=cdrom` }),
  }
}

function diskOption(disk: DesiredDisk, wanted: DesiredMachine, { desired }: StepContext): string {
  const flags = Object.entries(disk.flags).map(([key, value]) => `,${key}=${value}`)
  const serial = disk.serial === undefined ? '' : `,serial=${disk.serial}`
  const isImported = disk.slot === 'scsi0' && desired.cluster.boot === 'image'
  if (isImported)
    return `${disk.datastore}:0,import-from=${volidOf(imageOf(desired, wanted.image))}${serial}${flags.join('')}`
  return `${disk.datastore}:${disk.size / 1024 ** 3}${serial}${flags.join('')}`
}

function plannedParts(wanted: DesiredMachine, cluster: StepContext['desired']['cluster']): Record<string, string> {
  const isImage = cluster.boot === 'image'
  const disks = wanted.disks.map(({ slot, datastore, size }) => [
    slot,
    `${datastore}:vm-${wanted.vmid}-${slot},size=${slot === 'scsi0' && isImage ? 0 : size}`,
  ])
  return {
    ...Object.fromEntries(disks),
    ...(wanted.efi ? { efidisk0: `${wanted.efi.datastore}:vm-${wanted.vmid}-efi` } : {}),
    ...(wanted.tpm ? { tpmstate0: `${wanted.tpm.datastore}:vm-${wanted.vmid}-tpm` } : {}),
    boot: 'order=scsi0',
    tags: cluster.tags.join(';'),
    ide2: `${wanted.seedDatastore}:iso/${seedPrefix(cluster.id ?? '', wanted.machine.name)}0.iso,media=cdrom`,
  }
}
