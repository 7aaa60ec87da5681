import { z } from 'zod'
import type { DesiredTemplate } from '../desired/desired.js'
import { configureOwned, tagOwned } from '../machine/configure-owned.js'
import { imageOf, templateOf, volidOf } from '../machine/desired-parts.js'
import { diskVolume, isLargeEnough } from '../machine/disk-option.js'
import { templateMark } from '../machine/fresh-mark.js'
import { bootOrder, emptyDrives } from '../machine/machine-parts.js'
import { marked } from '../machine/marked.js'
import { applyPending, findOwned, getOwned, settle } from '../machine/owned-vm.js'
import { hasStatus, switchPower } from '../machine/switch-power.js'
import { withBirth } from '../ownership/born.js'
import { importedDisk, newEfiDisk, newTpmState } from '../proxmox/model/options/disk.js'
import type { World } from '../world.js'
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
  async done({ template }, world, context) {
    const owned = await findOwned(template, world, context)
    return owned !== undefined && owned.config.options.template === '1' && owned.mark.stage === 'made'
  },
  async run({ template }, world, context) {
    const wanted = templateOf(context.desired, template)
    await settle(wanted, world, context)
    await claim(wanted, world, context)
    await applyPending(template, world, context)
    await fill(wanted, world, context)
    await grow(wanted, world, context)
    await convert(wanted, world, context)
  },
  inputs: ({ template }, desired) => {
    const { options, disk, image } = templateOf(desired, template)
    return { known: () => ({ options, disk, image }) }
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

async function claim(wanted: DesiredTemplate, world: World, context: StepContext): Promise<void> {
  if (await findOwned(wanted.name, world, context)) return keepOff(wanted, world, context)
  context.assertLease()
  const description = marked('', templateMark(wanted, context.desired), context.desired)
  const options = { ...wanted.options, ...emptyDrives(wanted), description, pool: context.desired.cluster.pool }
  await world.proxmox.tasks.wait(await world.proxmox.machines.create(wanted, options, context.signal), context.signal)
}

/** A VM that runs cannot be converted, and there is nothing on this one yet. */
async function keepOff({ name }: DesiredTemplate, world: World, context: StepContext): Promise<void> {
  if (!(await hasStatus(name, 'running', world, context))) return
  const owned = await getOwned(name, world, context)
  context.note('switching it off')
  context.assertLease()
  await switchPower(owned, 'stopped', world, context)
}

async function fill(wanted: DesiredTemplate, world: World, context: StepContext): Promise<void> {
  const owned = await getOwned(wanted.name, world, context)
  if (diskVolume(owned.config.options.scsi0) !== undefined) return
  const { datastore, flags } = wanted.disk
  const set = {
    scsi0: importedDisk(datastore, volidOf(imageOf(context.desired, wanted.image)), flags),
    ...(wanted.hasEfi ? { efidisk0: newEfiDisk(datastore) } : {}),
    ...(wanted.hasTpm ? { tpmstate0: newTpmState(datastore) } : {}),
    boot: bootOrder(wanted),
  }
  await configureOwned(owned, set, world, context)
  await tagOwned(wanted.name, world, context)
}

async function grow(wanted: DesiredTemplate, world: World, context: StepContext): Promise<void> {
  const owned = await getOwned(wanted.name, world, context)
  if (isLargeEnough(owned.config.options.scsi0, wanted.disk.size)) return
  context.assertLease()
  const task = await world.proxmox.machines.resize(
    owned,
    'scsi0',
    wanted.disk.size,
    owned.config.digest,
    context.signal,
  )
  await world.proxmox.tasks.wait(task, context.signal)
}

async function convert(wanted: DesiredTemplate, world: World, context: StepContext): Promise<void> {
  const owned = await getOwned(wanted.name, world, context)
  if (owned.config.options.template !== '1') {
    context.assertLease()
    await world.proxmox.tasks.wait(
      await world.proxmox.machines.convertToTemplate(owned, context.signal),
      context.signal,
    )
  }
  const { config, mark, ...ref } = await getOwned(wanted.name, world, context)
  const description = marked(config.options.description, withBirth({ ...mark, stage: 'made' }, config), context.desired)
  context.assertLease()
  await world.proxmox.machines.setOptions(ref, { set: { description }, digest: config.digest }, context.signal)
}
