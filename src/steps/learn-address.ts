import { findAddress } from '../machine/node-address.js'
import { changeMachine } from '../machine/observed-change.js'
import { unknownAddress } from '../machine/unknown-address.js'
import { waitUntil } from '../machine/wait-until.js'
import { defineStep, machineArgs } from './step.js'

const minute = 60_000

/** If only the guest agent knows the address, and other machines need it as their endpoint. */
export const learnAddress = defineStep({
  kind: 'learn-address',
  args: machineArgs,
  title: ({ machine }) => `wait for ${machine} to report its address`,
  changes: false,
  disruptive: false,
  done: async ({ machine }, world, context) => (await findAddress(machine, world, context)) !== undefined,
  async run({ machine }, world, context) {
    const address = await waitUntil(
      {
        forWhat: `the guest agent of ${machine} to report its address`,
        where: `machine ${machine}`,
        machine,
        timeoutMs: 10 * minute,
        intervalMs: 1000,
        fix: 'The image needs the extension siderolabs/qemu-guest-agent and the bridge a DHCP server; or give the machine an ip.',
      },
      () => findAddress(machine, world, context),
      world,
      context,
    )
    context.note(address)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, { address: unknownAddress, talos: { reach: 'maintenance' } }),
})
