import { fixOfSilent } from '../etcd/fix-of-silent.js'
import { findAddress } from '../node/node-address.js'
import { unknownAddress } from '../node/unknown-address.js'
import { changeMachine } from '../vm/observed-change.js'
import { waitUntil } from '../work/wait-until.js'
import { defineStep, machineArgs } from './step.js'

const minute = 60_000

/** If only the guest agent knows the address, and other machines need it as their endpoint. */
export const learnAddress = defineStep({
  kind: 'learn-address',
  args: machineArgs,
  title: ({ machine }) => `wait for ${machine} to report its address`,
  changes: false,
  disruptive: false,
  done: async ({ machine }, context) => (await findAddress(machine, context)) !== undefined,
  async run({ machine }, context) {
    const address = await waitUntil(
      {
        forWhat: `the guest agent of ${machine} to report its address`,
        where: `machine ${machine}`,
        machine,
        timeoutMs: 10 * minute,
        intervalMs: 1000,
        fix: fixOfSilent(machine, context),
      },
      () => findAddress(machine, context),
      context,
    )
    context.note(address)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, { address: unknownAddress, talos: { reach: 'maintenance' } }),
})
