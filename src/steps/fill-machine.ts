import { z } from 'zod'
import type { Desired, DesiredMachine } from '../desired/desired.js'
import { configInputs } from '../node/config-inputs.js'
import type { VmOptions } from '../proxmox/client/port.js'
import { writeBoot } from '../proxmox/model/options/boot.js'
import { writeDisk, writeDrive } from '../proxmox/model/options/disk.js'
import { configureOwned, tagOwned } from '../vm/configure-owned.js'
import { isFilled } from '../vm/filled.js'
import { importsDisk, missingDisks, missingParts } from '../vm/machine-parts.js'
import { marked } from '../vm/marked.js'
import { loadedMedia } from '../vm/media.js'
import { changeMachine } from '../vm/observed-change.js'
import {
  applyPending,
  findApplied,
  findOwned,
  getOwned,
  type OptionChange,
  type OwnedVm,
  setOwned,
  settleKnown,
} from '../vm/owned-vm.js'
import { isProtected } from '../vm/protection.js'
import { removeEarlierSeeds, seedSerial, seedSlots, startSeedRemoval, uploadSeed } from '../vm/seed.js'
import { missingTags } from '../vm/vm-drift.js'
import { machineOf } from '../work/wanted-machine.js'
import { defineStep, type StepContext } from './step.js'

/**
 * Disks, seed and boot order: one upload and one config call make the empty VM bootable. An existing machine gets only
 * disks.
 */
export const fillMachine = defineStep({
  kind: 'fill-machine',
  args: z.strictObject({ machine: z.string(), isNew: z.boolean(), isComplete: z.boolean().optional() }),
  title: ({ machine, isNew, isComplete }, desired) => {
    if (isNew) return `give ${machine} its disks${desired.cluster.delivery === 'cidata' ? ' and its config' : ''}`
    return isComplete ? `set the boot order of ${machine}` : `give ${machine} the disks that it lacks`
  },
  lane: ({ machine }, desired) => {
    const { host, disks } = machineOf(desired, machine)
    return { name: `storage:${host}/${disks[0]?.datastore ?? ''}`, limit: 2 }
  },
  changes: true,
  disruptive: false,
  writesVm: true,
  installs: 'talos',
  inputs: ({ machine, isNew }, desired) => {
    const { disks, image, efi, tpm, seed, drives } = machineOf(desired, machine)
    const { delivery, tags } = desired.cluster
    const config = isNew ? configInputs(machine, desired) : undefined
    const media = isNew ? { delivery, seed, drives } : {}
    return { ...config, known: () => ({ ...config?.known(), disks, image, efi, tpm, tags, ...media }) }
  },
  async done({ machine, isNew }, context) {
    const owned = await findApplied(machine, context)
    return owned !== undefined && isReady(owned, isNew, context)
  },
  async run({ machine, isNew }, context) {
    await settleKnown(machine, await getOwned(machine, context), context)
    await applyPending(machine, context)
    const now = await getOwned(machine, context)
    if (!isReady(now, isNew, context)) await fill(now, isNew, context)
    if (lacksTags(now, context)) await tagOwned(machine, context)
  },
  effect: ({ machine, isNew }, model, desired) => {
    const wanted = machineOf(desired, machine)
    changeMachine(model, desired, machine, ({ options, mark, status, pending }) => ({
      pending: [...pending, ...(status === 'running' ? coldSlots(wanted, options) : [])],
      options: {
        ...plannedDisks(wanted, desired),
        ...options,
        boot: writeBoot(['scsi0']),
        ...(isNew ? plannedSeed(wanted, desired) : {}),
      },
      mark: isNew ? { ...mark, stage: 'making' } : mark,
    }))
  },
})

/** It has everything to boot; a new one also has its seed until it has read it. */
function isReady({ mark, config: { options } }: OwnedVm, isNew: boolean, { desired }: StepContext): boolean {
  const wanted = machineOf(desired, mark.node)
  if (!isFilled(wanted, options, mark)) return false
  const isSeeded = desired.cluster.delivery !== 'cidata' || loadedMedia(options).includes(wanted.seed.slot)
  return !isNew || (mark.stage === 'making' && isSeeded)
}

async function fill(now: OwnedVm, isNew: boolean, context: StepContext): Promise<void> {
  const wanted = machineOf(context.desired, now.mark.node)
  const { name } = wanted.machine
  if (!isNew) return configureOwned(now, missingDisks(wanted, now.config.options, context.desired), context)
  if (now.mark.stage !== 'making') await unmake(name, context)
  const isSeeded = context.desired.cluster.delivery === 'cidata'
  if (isSeeded) await removeEarlierSeeds(name, context)
  await setOwned(name, withoutOldSeeds, context, { deleteDisks: true })
  const owned = await getOwned(name, context)
  const seed = isSeeded ? await uploadSeed(owned.host, wanted, context) : undefined
  const parts = missingParts(wanted, owned, context.desired, seed)
  await configureOwned(owned, { ...parts, ...(await unprotected(wanted, owned, context)) }, context)
  // The VM has its own copy now; others may be able to read the upload.
  if (seed !== undefined && wanted.seed.kind === 'disk') await startSeedRemoval(owned.host, seed, context)
}

/** A clone is protected if its template is. Protection that a person gave to the clone itself is kept. */
async function unprotected(
  { template }: DesiredMachine,
  { mark, config }: OwnedVm,
  context: StepContext,
): Promise<VmOptions> {
  if (template === undefined || mark.more?.identity !== 'pending' || !isProtected(config)) return {}
  const source = await findOwned(template, context)
  return source !== undefined && isProtected(source.config) ? { protection: false } : {}
}

/** A clone has no tags yet, nor does a VM claimed with a token that may not set them. */
function lacksTags({ config: { options } }: OwnedVm, { desired }: StepContext): boolean {
  return missingTags(desired.cluster.tags, options) !== undefined
}

/** A seed from an interrupted run may hold an older config. */
function withoutOldSeeds({ config: { options } }: OwnedVm): OptionChange | undefined {
  const slots = seedSlots(options)
  return slots.length === 0 ? undefined : Object.fromEntries(slots.map((slot) => [slot, undefined]))
}

/**
 * The mark is `making` from before the seed exists until after it is deleted, so machines that are made need not be
 * searched for seeds.
 */
async function unmake(machine: string, context: StepContext): Promise<void> {
  const unmark = ({ mark, config: { options } }: OwnedVm) => ({
    description: marked(options.description, { ...mark, stage: 'making' }, context.desired),
  })
  await setOwned(machine, unmark, context)
}

/** What Proxmox cannot plug into a running VM. */
function coldSlots({ efi, tpm }: DesiredMachine, options: Readonly<Record<string, string>>): string[] {
  const slots = [...(efi ? ['efidisk0'] : []), ...(tpm ? ['tpmstate0'] : [])]
  return slots.filter((slot) => !(slot in options))
}

function plannedDisks(wanted: DesiredMachine, desired: Desired): Record<string, string> {
  const isSmall = importsDisk(wanted, desired)
  const disks = wanted.disks.map(({ slot, datastore, size, flags }) => [
    slot,
    writeDisk({
      volume: `${datastore}:vm-${wanted.vmid}-${slot}`,
      ...flags,
      size: slot === 'scsi0' && isSmall ? 0 : size,
    }),
  ])
  return {
    ...Object.fromEntries(disks),
    ...(wanted.efi ? { efidisk0: `${wanted.efi.datastore}:vm-${wanted.vmid}-efi` } : {}),
    ...(wanted.tpm ? { tpmstate0: `${wanted.tpm.datastore}:vm-${wanted.vmid}-tpm` } : {}),
  }
}

function plannedSeed({ seed, vmid }: DesiredMachine, { cluster }: Desired): Record<string, string> {
  const tags = { tags: cluster.tags.join(';') }
  if (cluster.delivery !== 'cidata') return tags
  if (seed.kind === 'disk')
    return { ...tags, [seed.slot]: writeDisk({ volume: `${seed.storage}:vm-${vmid}-seed`, serial: seedSerial }) }
  return { ...tags, [seed.slot]: writeDrive(`${seed.storage}:iso/seed.iso`) }
}
