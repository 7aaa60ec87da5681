import { findNode } from '../machine/kubernetes-node.js'
import { getAddress } from '../machine/node-address.js'
import { defineStep, machineArgs } from './step.js'

/**
 * A kubelet registers its node only when it starts: a restart brings back a node that was deleted or that a new etcd
 * never had. Containers keep running, and an extra restart does no harm.
 */
export const restartKubelet = defineStep({
  kind: 'restart-kubelet',
  args: machineArgs,
  title: ({ machine }) => `restart the kubelet of ${machine}`,
  changes: true,
  disruptive: false,
  done: async ({ machine }, world, context) =>
    (await findNode(machine, world, context).catch(() => undefined)) !== undefined,
  async run({ machine }, world, context) {
    const address = await getAddress(machine, world, context)
    context.assertLease()
    await world.talos.node({ machine, address }).restartService('kubelet', context.signal)
  },
  effect: () => undefined,
})
