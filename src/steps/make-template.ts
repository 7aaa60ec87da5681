import { z } from 'zod'
import type { DesiredTemplate } from '../desired/desired.js'
import { withBirth } from '../ownership/born.js'
import { importedDisk, newEfiDisk, newTpmState } from '../proxmox/model/options/disk.js'
import { configureOwned, tagOwned } from '../vm/configure-owned.js'
import { imageOf, templateOf, volidOf } from '../vm/desired-parts.js'
import { diskVolume, isLargeEnough } from '../vm/disk-option.js'
import { templateMark } from '../vm/fresh-mark.js'
import { bootOrder, emptyDrives } from '../vm/machine-parts.js'
import { marked } from '../vm/marked.js'
import { applyPending, findOwned, getOwned, settle } from '../vm/owned-vm.js'
import { hasStatus, switchPower } from '../vm/switch-power.js'
import { defineStep, type StepContext } from './step.js'

/** Creates a VM from the disk image and converts it to a template. It is never started. */
export const makeTemplate = defineStep({
  kind: 'make-template',
  args: z.strictObject({ template: z.string() }),
  title: ({ template }, desired) => {
    const { vmid, host } = templateOf(desired, template)
    return `make template ${vmid} (${template}) on ${host}`
  },
  changes: true,
  disruptive: false,
  async done({ template }, context) {
    const owned = await findOwned(template, context)
    return owned !== undefined && owned.config.options.template === '1' && owned.mark.stage === 'made'
  },
  async run({ template }, context) {
    const wanted = templateOf(context.desired, template)
    await settle(wanted, context)
    await claim(wanted, context)
    await applyPending(template, context)
    await fill(wanted, context)
    await grow(wanted, context)
    await convert(wanted, context)
  },
  inputs: ({ template }, desired) => {
    const { options, disk, image, drives, hasEfi, hasTpm } = templateOf(desired, template)
    const { pool } = desired.cluster
    return { known: () => ({ options, disk, image, drives, hasEfi, hasTpm, pool }) }
  },
  effect: ({ template }, model, desired) => {
    const wanted = templateOf(desired, template)
    const { name, host, vmid } = wanted
    const mark = { ...templateMark(wanted, desired), stage: 'made' as const }
    model.change(({ templates }) => ({
      templates: [
        ...templates.filter((other) => other.name !== name),
        { name, host, vmid, mark, isSealed: true, isReady: true },
      ],
    }))
  },
})

async function claim(wanted: DesiredTemplate, context: StepContext): Promise<void> {
  if (await findOwned(wanted.name, context)) return keepOff(wanted, context)
  context.assertLease()
  const description = marked('', templateMark(wanted, context.desired), context.desired)
  const options = { ...wanted.options, ...emptyDrives(wanted), description, pool: context.desired.cluster.pool }
  await context.proxmox.tasks.wait(
    await context.proxmox.machines.create(wanted, options, context.signal),
    context.signal,
  )
}

/** A VM that runs cannot be converted, and there is nothing on this one yet. */
async function keepOff({ name }: DesiredTemplate, context: StepContext): Promise<void> {
  if (!(await hasStatus(name, 'running', context))) return
  const owned = await getOwned(name, context)
  context.note('switching it off')
  context.assertLease()
  await switchPower(owned, 'stopped', context)
}

async function fill(wanted: DesiredTemplate, context: StepContext): Promise<void> {
  const owned = await getOwned(wanted.name, context)
  if (diskVolume(owned.config.options.scsi0) !== undefined) return
  const { datastore, flags } = wanted.disk
  const set = {
    scsi0: importedDisk(datastore, volidOf(imageOf(context.desired, wanted.image)), flags),
    ...(wanted.hasEfi ? { efidisk0: newEfiDisk(datastore) } : {}),
    ...(wanted.hasTpm ? { tpmstate0: newTpmState(datastore) } : {}),
    boot: bootOrder(wanted),
  }
  await configureOwned(owned, set, context)
  await tagOwned(wanted.name, context)
}

async function grow(wanted: DesiredTemplate, context: StepContext): Promise<void> {
  const owned = await getOwned(wanted.name, context)
  if (isLargeEnough(owned.config.options.scsi0, wanted.disk.size)) return
  context.assertLease()
  const task = await context.proxmox.machines.resize(
    owned,
    'scsi0',
    wanted.disk.size,
    owned.config.digest,
    context.signal,
  )
  await context.proxmox.tasks.wait(task, context.signal)
}

async function convert(wanted: DesiredTemplate, context: StepContext): Promise<void> {
  const owned = await getOwned(wanted.name, context)
  if (owned.config.options.template !== '1') {
    context.assertLease()
    await context.proxmox.tasks.wait(
      await context.proxmox.machines.convertToTemplate(owned, context.signal),
      context.signal,
    )
  }
  const { config, mark, ...ref } = await getOwned(wanted.name, context)
  const description = marked(config.options.description, withBirth({ ...mark, stage: 'made' }, config), context.desired)
  context.assertLease()
  await context.proxmox.machines.setOptions(ref, { set: { description }, digest: config.digest }, context.signal)
}
