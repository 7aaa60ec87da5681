import { z } from 'zod'
import type { Desired } from '../desired/desired.js'
import { guardLeft } from '../machine/etcd-guards.js'
import { changeMachine } from '../machine/observed-change.js'
import { getOwned, settleKnown } from '../machine/owned-vm.js'
import { hasStatus, switchPower } from '../machine/switch-power.js'
import { findWanted, isOurFirstWork } from '../machine/wanted-machine.js'
import { defineStep, machineArgs } from './step.js'

/** Power on. */
export const startMachine = defineStep({
  kind: 'start-machine',
  args: machineArgs,
  title: ({ machine }) => `start ${machine}`,
  lane: ({ machine }, desired) => ({ name: `start:${hostOf(machine, desired)}`, limit: 4 }),
  changes: true,
  disruptive: false,
  // Only this round uses a machine that it has just created. If it already runs, Proxmox reports so.
  done: async ({ machine }, world, context) =>
    !isOurFirstWork(machine, context) && hasStatus(machine, 'running', world, context),
  async run({ machine }, world, context) {
    const owned = await getOwned(machine, world, context)
    await settleKnown(machine, owned, world, context)
    if (!isOurFirstWork(machine, context) && (await hasStatus(machine, 'running', world, context))) return
    context.assertLease()
    await switchPower(owned, 'running', world, context)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, { status: 'running', talos: { reach: 'silent', reason: 'booting' } }),
})

/** Cuts the power: a Talos VM ignores the power button for minutes. */
export const stopMachine = defineStep({
  kind: 'stop-machine',
  /** `teardown`: the whole cluster is deleted. `empty`: it never had a system. */
  args: z.strictObject({ machine: z.string(), because: z.enum(['removal', 'teardown', 'empty']) }),
  title: ({ machine }) => `stop ${machine}`,
  changes: true,
  disruptive: true,
  done: ({ machine }, world, context) => hasStatus(machine, 'stopped', world, context),
  async guard({ machine, because }, world, context) {
    if (because !== 'teardown') await guardLeft(machine, world, context)
  },
  async run({ machine }, world, context) {
    const owned = await getOwned(machine, world, context)
    context.assertLease()
    await switchPower(owned, 'stopped', world, context)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, { status: 'stopped', talos: { reach: 'off' } }),
})

function hostOf(machine: string, desired: Desired): string {
  return findWanted(desired, machine)?.host ?? ''
}
