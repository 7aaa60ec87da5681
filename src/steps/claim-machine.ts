import type { DesiredMachine } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import { writeMark } from '../ownership/mark.js'
import type { TaskRef } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import { freshMark } from './mark-of.js'
import { withMachine } from './observed-change.js'
import { findOwned, getOwned, machineOf, settle } from './owned-vm.js'
import { defineStep, type StepContext } from './step.js'
import { taskProgress } from './task-progress.js'

/** Reserves the VMID with an empty, marked VM: a tenth of a second, and from then on it is ours. */
export const claimMachine = defineStep<{ machine: string }>({
  kind: 'claim-machine',
  title: ({ machine }, desired) => {
    const { host, vmid } = machineOf(desired, machine)
    return desired.cluster.boot === 'template'
      ? `clone VM ${vmid} for ${machine} on ${host}`
      : `create VM ${vmid} for ${machine} on ${host}`
  },
  lane: ({ machine }, desired) => ({ name: `host:${machineOf(desired, machine).host}`, limit: 4 }),
  changes: true,
  disruptive: false,
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    return owned !== undefined && owned.config.options.lock === undefined
  },
  async run({ machine }, world, context) {
    const wanted = machineOf(context.desired, machine)
    await settle(wanted, world, context)
    if (await findOwned(machine, world, context)) return
    await refuseIfTaken(machine, world, context)
    context.assertLease()
    const task =
      wanted.template === undefined ? create(wanted, world, context) : clone(wanted, wanted.template, world, context)
    await world.proxmox.tasks.wait(await task, context.signal, taskProgress(context))
  },
  effect: ({ machine }, observed, desired) => withMachine(observed, desired, machine, {}),
})

/** Every CD drive that is needed later is there from the start: one that is new beside a boot order would lose the latter. */
function create(wanted: DesiredMachine, world: World, { desired, signal }: StepContext): Promise<TaskRef> {
  const drives = desired.cluster.boot === 'iso' ? ['ide0', 'ide2'] : ['ide2']
  const options = {
    ...wanted.options,
    ...Object.fromEntries(drives.map((drive) => [drive, 'none,media=cdrom'])),
    description: writeMark('', freshMark(wanted, desired)),
    pool: desired.cluster.pool,
  }
  return world.proxmox.machines.create(wanted, options, signal)
}

/** A clone draws UUID and MAC of its own; the mark says that it still waits for those of the machine. */
async function clone(wanted: DesiredMachine, template: string, world: World, context: StepContext): Promise<TaskRef> {
  const { cluster } = context.desired
  const source = await getOwned(template, world, context)
  const mark = freshMark(wanted, context.desired)
  const datastore = wanted.disks[0]?.datastore
  return world.proxmox.machines.clone(
    source,
    {
      vmid: wanted.vmid,
      name: wanted.machine.name,
      full: cluster.fullClones,
      pool: cluster.pool,
      description: writeMark('', { ...mark, more: { ...mark.more, identity: 'pending' } }),
      ...(cluster.fullClones && datastore !== undefined ? { storage: datastore } : {}),
      ...(source.host === wanted.host ? {} : { target: wanted.host }),
    },
    context.signal,
  )
}

/** Between the plan and now somebody may have taken the VMID: we look, and never take the next one on the fly. */
async function refuseIfTaken(machine: string, world: World, context: StepContext): Promise<void> {
  const { host, vmid } = machineOf(context.desired, machine)
  const there = await world.proxmox.machines.findConfig({ host, vmid }, context.signal)
  if (there === undefined) return
  throw new PlanRefused(`VMID ${vmid} was free a moment ago and now belongs to somebody else's VM.`, {
    where: `Proxmox host ${host}, machine ${machine}`,
    fix: 'Run ichor up again: it looks again and takes the next free VMID of the range.',
  })
}
