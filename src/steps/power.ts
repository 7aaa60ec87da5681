import { withMachine } from './observed-change.js'
import { getOwned, settle } from './owned-vm.js'
import { defineStep, type StepContext } from './step.js'
import { hasStatus, switchPower } from './switch-power.js'

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
    await switchPower(owned, 'running', world, context)
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
    await switchPower(owned, 'stopped', world, context)
  },
  effect: ({ machine }, observed, desired) =>
    withMachine(observed, desired, machine, { status: 'stopped', talos: { reach: 'off' } }),
})

function hostOf(machine: string, desired: StepContext['desired']): string {
  return desired.machines.find((wanted) => wanted.machine.name === machine)?.host ?? ''
}
