import { PlanRefused } from '../errors.js'
import { writeMark } from '../ownership/mark.js'
import { freshMark } from './mark-of.js'
import { withMachine } from './observed-change.js'
import { findOwned, machineOf, settle } from './owned-vm.js'
import { defineStep } from './step.js'

/** Reserves the VMID with an empty, marked VM: a tenth of a second, and from then on it is ours. */
export const claimMachine = defineStep<{ machine: string }>({
  kind: 'claim-machine',
  title: ({ machine }, desired) => {
    const { host, vmid } = machineOf(desired, machine)
    return `create VM ${vmid} for ${machine} on ${host}`
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
    const task = await world.proxmox.machines.create(
      wanted,
      {
        ...wanted.options,
        ide2: 'none,media=cdrom',
        description: writeMark('', freshMark(wanted, context.desired)),
        pool: context.desired.cluster.pool,
      },
      context.signal,
    )
    await world.proxmox.tasks.wait(task, context.signal)
  },
  effect: ({ machine }, observed, desired) => withMachine(observed, desired, machine, {}),
})

/** Between the plan and now somebody may have taken the VMID: we look, and never take the next one on the fly. */
async function refuseIfTaken(
  machine: string,
  world: Parameters<typeof findOwned>[1],
  context: Parameters<typeof findOwned>[2],
): Promise<void> {
  const { host, vmid } = machineOf(context.desired, machine)
  const there = await world.proxmox.machines.findConfig({ host, vmid }, context.signal)
  if (there === undefined) return
  throw new PlanRefused(`VMID ${vmid} was free a moment ago and now belongs to somebody else's VM.`, {
    where: `Proxmox host ${host}, machine ${machine}`,
    fix: 'Run ichor up again: it looks anew and takes the next free VMID of the range.',
  })
}
