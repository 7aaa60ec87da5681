import type { Desired, DesiredCluster, DesiredMachine } from '../desired/desired.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { type Mark, writeMark } from '../ownership/mark.js'
import type { World } from '../world.js'
import { configureOwned } from './configure-owned.js'
import { diskVolume } from './disk-option.js'
import { importsDisk, missingDisks, missingParts } from './machine-parts.js'
import { withMachine } from './observed-change.js'
import { findOwned, getOwned, machineOf, type OwnedVm, setOwned, settle } from './owned-vm.js'
import { seedPrefix, uploadSeed } from './seed.js'
import { defineStep, type StepContext } from './step.js'

/** Disks, medium and boot order: one upload and one config call make the empty VM bootable. A made one gets disks only. */
export const fillMachine = defineStep<{ machine: string; isNew: boolean; isWhole?: boolean }>({
  kind: 'fill-machine',
  title: ({ machine, isNew, isWhole }, desired) => {
    if (isNew) return `give ${machine} its disks${desired.cluster.delivery === 'cidata' ? ' and its config' : ''}`
    return isWhole ? `set the boot order of ${machine}` : `give ${machine} the disks that it lacks`
  },
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
    const now = await getOwned(machine, world, context)
    if (isFilled(wanted, now.config.options, now.mark)) return
    if (!needsSeed({ mark: now.mark, options: now.config.options })) {
      return configureOwned(now, missingDisks(wanted, now.config.options, context.desired), world, context)
    }
    const owned = now.mark.stage === 'made' ? await unmade(machine, world, context) : now
    const seed =
      context.desired.cluster.delivery === 'cidata' ? await uploadSeed(owned.host, wanted, world, context) : undefined
    await configureOwned(owned, missingParts(wanted, owned, context.desired, seed), world, context)
  },
  effect: ({ machine }, observed, desired) => {
    const wanted = machineOf(desired, machine)
    const before = observed.machines.find(({ name }) => name === machine)
    const isNew = before === undefined || needsSeed(before)
    const filled = withMachine(observed, desired, machine, ({ options, mark }) => ({
      options: {
        ...plannedDisks(wanted, desired),
        ...options,
        boot: 'order=scsi0',
        ...(isNew ? plannedSeed(wanted, desired.cluster) : {}),
      },
      mark: isNew ? { ...mark, stage: 'making' as const } : mark,
    }))
    return isNew && desired.cluster.delivery === 'cidata' ? withSeed(filled, wanted, desired) : filled
  },
})

/** It was never started, or has lost its system disk: it gets its config, and what it boots from, once more. */
export function needsSeed({ mark, options }: Pick<ObservedMachine, 'mark' | 'options'>): boolean {
  return mark.stage === 'making' || diskVolume(options.scsi0) === undefined
}

/** Complete when it has its identity, every disk has a volume, and the boot order names the system disk. */
export function isFilled(wanted: DesiredMachine, options: Readonly<Record<string, string>>, mark: Mark): boolean {
  if (mark.more?.identity === 'pending') return false
  return missingSlots(wanted, options).length === 0 && (options.boot ?? '').includes('scsi0')
}

/** Drives of the machine that have no volume. */
export function missingSlots(wanted: DesiredMachine, options: Readonly<Record<string, string>>): string[] {
  const slots = [
    ...wanted.disks.map(({ slot }) => slot),
    ...(wanted.efi ? ['efidisk0'] : []),
    ...(wanted.tpm ? ['tpmstate0'] : []),
  ]
  return slots.filter((slot) => diskVolume(options[slot]) === undefined)
}

/**
 * From before its seed exists until after it is deleted, a mark says `making`: so nobody needs to look for seeds of machines
 * that are made.
 */
async function unmade(machine: string, world: World, context: StepContext): Promise<OwnedVm> {
  const unmark = ({ mark, config: { options } }: OwnedVm) => ({
    description: writeMark(options.description ?? '', { ...mark, stage: 'making' }),
  })
  await setOwned(machine, unmark, world, context)
  return getOwned(machine, world, context)
}

function plannedDisks(wanted: DesiredMachine, desired: Desired): Record<string, string> {
  const isSmall = importsDisk(wanted, desired)
  const disks = wanted.disks.map(({ slot, datastore, size }) => [
    slot,
    `${datastore}:vm-${wanted.vmid}-${slot},size=${slot === 'scsi0' && isSmall ? 0 : size}`,
  ])
  return {
    ...Object.fromEntries(disks),
    ...(wanted.efi ? { efidisk0: `${wanted.efi.datastore}:vm-${wanted.vmid}-efi` } : {}),
    ...(wanted.tpm ? { tpmstate0: `${wanted.tpm.datastore}:vm-${wanted.vmid}-tpm` } : {}),
  }
}

function plannedSeed(wanted: DesiredMachine, cluster: DesiredCluster): Record<string, string> {
  return { tags: cluster.tags.join(';'), ide2: `${plannedVolid(wanted, cluster)},media=cdrom` }
}

function withSeed(observed: Observed, wanted: DesiredMachine, { cluster }: Desired): Observed {
  const volid = plannedVolid(wanted, cluster)
  const seed = { host: wanted.host, volid, content: 'iso', format: 'iso', size: 0 }
  return { ...observed, proxmox: { ...observed.proxmox, volumes: [...observed.proxmox.volumes, seed] } }
}

/** What its content will be called is not worth writing its config for. */
function plannedVolid({ seedDatastore, machine }: DesiredMachine, { id = '' }: DesiredCluster): string {
  return `${seedDatastore}:iso/${seedPrefix(id, machine.name)}${'0'.repeat(12)}.iso`
}
