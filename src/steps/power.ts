import type { World } from '../world.js'
import { withMachine } from './observed-change.js'
import { findOwned, getOwned, settle } from './owned-vm.js'
import { defineStep, type StepContext } from './step.js'

/** Power on. */
export const startMachine = defineStep<{ machine: string }>({
  kind: 'start-machine',
  title: ({ machine }) => `start ${machine}`,
  lane: ({ machine }, desired) => ({ name: `start:${hostOf(machine, desired)}`, limit: 4 }),
  changes: true,
  disruptive: false,
  done: ({ machine }, world, context) => hasStatus(machine, 'running', world, context),
  async run({ machine }, world, context) {
    const owned = await getOwned(machine, world, context)
    await settle(owned, world, context)
    if (await hasStatus(machine, 'running', world, context)) return
    context.assertLease()
    const task = await world.proxmox.machines.start(owned, context.signal)
    await world.proxmox.tasks.wait(task, context.signal)
  },
  effect: ({ machine }, observed, desired) =>
    withMachine(observed, desired, machine, { status: 'running', talos: { reach: 'silent', reason: 'booting' } }),
})

/** Pulls the plug: a Talos VM ignores the power button for minutes. */
export const stopMachine = defineStep<{ machine: string }>({
  kind: 'stop-machine',
  title: ({ machine }) => `stop ${machine}`,
  changes: true,
  disruptive: true,
  done: ({ machine }, world, context) => hasStatus(machine, 'stopped', world, context),
  async run({ machine }, world, context) {
    const owned = await getOwned(machine, world, context)
    context.assertLease()
    const task = await world.proxmox.machines.stop(owned, context.signal)
    await world.proxmox.tasks.wait(task, context.signal)
  },
  effect: ({ machine }, observed, desired) =>
    withMachine(observed, desired, machine, { status: 'stopped', talos: { reach: 'off' } }),
})

async function hasStatus(
  machine: string,
  wanted: 'running' | 'stopped',
  world: World,
  context: StepContext,
): Promise<boolean> {
  const owned = await findOwned(machine, world, context)
  if (owned === undefined) return false
  const status = await world.proxmox.machines.findStatus(owned, context.signal)
  return status?.status === wanted
}

function hostOf(machine: string, desired: StepContext['desired']): string {
  return desired.machines.find((wanted) => wanted.machine.name === machine)?.host ?? ''
}
