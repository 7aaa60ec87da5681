import { guardPause } from '../etcd/etcd-guards.js'
import { configInputs } from '../node/config-inputs.js'
import { guardIdentity } from '../node/guard-identity.js'
import { isLostAnswer } from '../node/lost-answer.js'
import { getAddress } from '../node/node-address.js'
import { configFor, hasWantedConfig, setWantedConfig } from '../node/talos-config.js'
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
  done: async ({ machine }, context) => hasWantedConfig(machine, context),
  inputs: ({ machine }, desired) => configInputs(machine, desired),
  async guard({ machine }, context) {
    await guardIdentity(machine, await getAddress(machine, context), context)
    await guardPause(machine, context)
  },
  async run({ machine }, context) {
    const address = await getAddress(machine, context)
    const node = context.talos.node({ machine, address })
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
