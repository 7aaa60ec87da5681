import { z } from 'zod'
import type { Desired } from '../desired/desired.js'
import { guardLeft } from '../etcd/etcd-guards.js'
import { changeMachine } from '../vm/observed-change.js'
import { getOwned, settleKnown } from '../vm/owned-vm.js'
import { hasStatus, switchPower } from '../vm/switch-power.js'
import { findWanted, isOurFirstWork } from '../work/wanted-machine.js'
import { defineStep, machineArgs } from './step.js'

/** Power on. */
export const startMachine = defineStep({
  kind: 'start-machine',
  args: machineArgs,
  title: ({ machine }) => `start ${machine}`,
  lane: ({ machine }, desired) => ({ name: `start:${hostOf(machine, desired)}`, limit: 4 }),
  changes: true,
  disruptive: false,
  writesVm: true,
  // Only this round uses a machine that it has just created. If it already runs, Proxmox reports so.
  done: async ({ machine }, context) => !isOurFirstWork(machine, context) && hasStatus(machine, 'running', context),
  async run({ machine }, context) {
    const owned = await getOwned(machine, context)
    await settleKnown(machine, owned, context)
    if (!isOurFirstWork(machine, context) && (await hasStatus(machine, 'running', context))) return
    context.assertLease()
    await switchPower(owned, 'running', context)
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
  writesVm: true,
  done: ({ machine }, context) => hasStatus(machine, 'stopped', context),
  async guard({ machine, because }, context) {
    if (because !== 'teardown') await guardLeft(machine, context)
  },
  async run({ machine }, context) {
    const owned = await getOwned(machine, context)
    context.assertLease()
    await switchPower(owned, 'stopped', context)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, { status: 'stopped', talos: { reach: 'off' } }),
})

function hostOf(machine: string, desired: Desired): string {
  return findWanted(desired, machine)?.host ?? ''
}
