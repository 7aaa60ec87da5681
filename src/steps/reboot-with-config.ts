import { hasWantedConfig, wantedConfig, withWantedConfig } from './apply-config.js'
import { guardPause } from './etcd-now.js'
import { guardIdentity } from './guard-identity.js'
import { findAddress } from './node-address.js'
import { machineOf } from './owned-vm.js'
import { defineStep } from './step.js'

/**
 * A config that takes effect only when the node boots. It is put down for the next boot and the node is asked for one: it
 * runs with the old one until then, so that a run that was killed in between sees that there is still something to do.
 */
export const rebootWithConfig = defineStep<{ machine: string }>({
  kind: 'reboot-with-config',
  title: ({ machine }) => `change the config of ${machine} and reboot it`,
  changes: true,
  disruptive: true,
  done: async ({ machine }, world, context) => hasWantedConfig(machine, world, context),
  async guard({ machine }, world, context) {
    await guardIdentity(machine, await findAddress(machine, world, context), world, context)
    if (machineOf(context.desired, machine).machine.role === 'controlplane') await guardPause(machine, world, context)
  },
  async run({ machine }, world, context) {
    const address = await findAddress(machine, world, context)
    if (address === undefined) throw new Error(`no address of ${machine} is known`)
    const node = world.talos.node({ machine, address })
    context.assertLease()
    await node.applyConfiguration(wantedConfig(machine, context).config, { mode: 'staged' }, context.signal)
    await node.reboot('default', context.signal).catch((thrown: unknown) => {
      if (context.signal.aborted || !isLost(thrown)) throw thrown
      context.note('the answer to the reboot was lost: it is seen whether it comes back with its config')
    })
  },
  effect: ({ machine }, observed, desired) => withWantedConfig(observed, desired, machine),
})

/** A node that goes down may not find the time to answer. */
function isLost(thrown: unknown): boolean {
  const { grpcCode } = thrown as { grpcCode?: unknown }
  return grpcCode === 'Unavailable' || grpcCode === 'Canceled'
}
