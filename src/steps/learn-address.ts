import { findAddress } from './node-address.js'
import { withMachine } from './observed-change.js'
import { defineStep } from './step.js'
import { waitUntil } from './waiting.js'

const minute = 60_000

/** Where only the guest agent can tell the address, and others need it as their endpoint. */
export const learnAddress = defineStep<{ machine: string }>({
  kind: 'learn-address',
  title: ({ machine }) => `wait for ${machine} to tell its address`,
  changes: false,
  disruptive: false,
  done: async ({ machine }, world, context) => (await findAddress(machine, world, context)) !== undefined,
  async run({ machine }, world, context) {
    const address = await waitUntil(
      {
        forWhat: `the guest agent of ${machine} to tell its address`,
        where: `machine ${machine}`,
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
  effect: ({ machine }, observed, desired) =>
    withMachine(observed, desired, machine, { address: '0.0.0.0', talos: { reach: 'maintenance' } }),
})
