import type { DesiredMachine } from '../desired/desired.js'
import { vmidTaken } from '../findings/refusals/machines.js'
import type { TaskRef, VmOptions } from '../proxmox/client/port.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import { freshMark } from '../vm/fresh-mark.js'
import { emptyDrives, optionInputs } from '../vm/machine-parts.js'
import { marked } from '../vm/marked.js'
import { changeMachine } from '../vm/observed-change.js'
import { findOwned, getOwned, settle } from '../vm/owned-vm.js'
import { taskProgress } from '../vm/task-progress.js'
import { isOurFirstWork, machineOf } from '../work/wanted-machine.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

/** Reserves the VMID with an empty, marked VM. Takes a tenth of a second; from then on the VM is ours. */
export const claimMachine = defineStep({
  kind: 'claim-machine',
  args: machineArgs,
  title: ({ machine }, desired) => {
    const { host, vmid } = machineOf(desired, machine)
    return desired.cluster.boot === 'template'
      ? `clone VM ${vmid} for ${machine} on ${host}`
      : `create VM ${vmid} for ${machine} on ${host}`
  },
  lane: ({ machine }, desired) => ({ name: `host:${machineOf(desired, machine).host}`, limit: 4 }),
  changes: true,
  disruptive: false,
  inputs: ({ machine }, desired) => {
    const wanted = machineOf(desired, machine)
    const { pool, fullClones } = desired.cluster
    const clone = wanted.template === undefined ? {} : { template: wanted.template, fullClones }
    return { known: () => ({ options: optionInputs(wanted), pool, ...clone }) }
  },
  async done({ machine }, context) {
    // Proxmox refuses a VMID that is taken.
    if (isOurFirstWork(machine, context)) return false
    const owned = await findOwned(machine, context)
    return owned !== undefined && owned.config.options.lock === undefined
  },
  async run({ machine }, context) {
    const wanted = machineOf(context.desired, machine)
    if (!isOurFirstWork(machine, context) && (await isClaimed(wanted, context))) return
    try {
      await claim(wanted, context)
    } catch (thrown) {
      // A worker from before a kill may have finished after this round observed the host.
      if (!isProxmoxError(thrown, 'vmid-taken') || !(await isClaimed(wanted, context))) throw thrown
    }
  },
  effect: ({ machine }, model, desired) => changeMachine(model, desired, machine, {}),
})

/** The VM exists and is ours, once all its tasks have ended. */
async function isClaimed(wanted: DesiredMachine, context: StepContext): Promise<boolean> {
  const { name } = wanted.machine
  await settle(wanted, context)
  if ((await findOwned(name, context)) !== undefined) return true
  await refuseIfTaken(name, context)
  return false
}

/** With its tags, or without them if this token may not set them. `fill-machine` tries again and records the result. */
async function claim(wanted: DesiredMachine, context: StepContext): Promise<void> {
  const { template } = wanted
  if (template !== undefined) return waitFor(clone(wanted, template, context), context)
  try {
    await waitFor(create(wanted, { tags: context.desired.cluster.tags.join(';') }, context), context)
  } catch (thrown) {
    if (!isProxmoxError(thrown, 'forbidden-tag', 'forbidden')) throw thrown
    await waitFor(create(wanted, {}, context), context)
  }
}

async function waitFor(task: Promise<TaskRef>, context: StepContext): Promise<void> {
  await context.proxmox.tasks.wait(await task, context.signal, taskProgress(context))
}

/** It starts with its host only when complete: an empty VM that a rebooting host started could not be filled. */
function create(wanted: DesiredMachine, more: VmOptions, context: StepContext): Promise<TaskRef> {
  const { desired, signal } = context
  const options = {
    ...more,
    ...wanted.options,
    ...emptyDrives(wanted),
    onboot: false,
    description: marked('', freshMark(wanted, desired), desired),
    pool: desired.cluster.pool,
  }
  context.assertLease()
  return context.proxmox.machines.create(wanted, options, signal)
}

/** A clone gets a UUID and MAC of its own. The mark records that it still needs those of the machine. */
async function clone(wanted: DesiredMachine, template: string, context: StepContext): Promise<TaskRef> {
  const { desired } = context
  const { cluster } = desired
  const source = await getOwned(template, context)
  const mark = freshMark(wanted, desired)
  const datastore = wanted.disks[0]?.datastore
  context.assertLease()
  return context.proxmox.machines.clone(
    source,
    {
      vmid: wanted.vmid,
      name: wanted.machine.name,
      full: cluster.fullClones,
      pool: cluster.pool,
      description: marked('', { ...mark, more: { ...mark.more, identity: 'pending' } }, desired),
      ...(cluster.fullClones && datastore !== undefined ? { storage: datastore } : {}),
      ...(source.host === wanted.host ? {} : { target: wanted.host }),
    },
    context.signal,
  )
}

/** The VMID may have been taken since the plan. Check, and never switch to another VMID. */
async function refuseIfTaken(machine: string, context: StepContext): Promise<void> {
  const { host, vmid } = machineOf(context.desired, machine)
  const there = await context.proxmox.machines.findConfig({ host, vmid }, context.signal)
  if (there === undefined) return
  throw vmidTaken.refuse(`VMID ${vmid} was free a moment ago, but is now used by another VM.`, {
    subject: { kind: 'machine', name: machine },
    where: `Proxmox host ${host}, machine ${machine}`,
    fix: 'Run ichor up again: it uses the next free VMID of the range.',
  })
}
