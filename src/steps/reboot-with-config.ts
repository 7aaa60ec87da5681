import { configInputs } from '../machine/config-inputs.js'
import { guardPause } from '../machine/etcd-guards.js'
import { guardIdentity } from '../machine/guard-identity.js'
import { isLostAnswer } from '../machine/lost-answer.js'
import { getAddress } from '../machine/node-address.js'
import { configFor, hasWantedConfig, setWantedConfig } from '../machine/talos-config.js'
import { defineStep, machineArgs } from './step.js'

/**
 * A config that takes effect only at boot. It is staged for the next boot, and the node is rebooted. Until then it runs
 * the old config, so a run after a kill sees that a reboot is still needed.
 */
export const rebootWithConfig = defineStep({
  kind: 'reboot-with-config',
  args: machineArgs,
  title: ({ machine }) => `change the config of ${machine} and reboot it`,
  changes: true,
  disruptive: true,
  setsConfig: true,
  done: async ({ machine }, world, context) => hasWantedConfig(machine, world, context),
  inputs: ({ machine }, desired) => configInputs(machine, desired),
  async guard({ machine }, world, context) {
    await guardIdentity(machine, await getAddress(machine, world, context), world, context)
    await guardPause(machine, world, context)
  },
  async run({ machine }, world, context) {
    const address = await getAddress(machine, world, context)
    const node = world.talos.node({ machine, address })
    context.assertLease()
    const config = await configFor(machine, node, context)
    await node.applyConfiguration(config, { mode: 'staged' }, context.signal)
    await node.reboot('default', context.signal).catch((thrown: unknown) => {
      if (context.signal.aborted || !isLostAnswer(thrown)) throw thrown
      context.note('the response to the reboot was lost: checking whether it returns with its config')
    })
  },
  effect: ({ machine }, model, desired) => setWantedConfig(model, desired, machine),
})
