import { findNode } from '../node/kubernetes-node.js'
import { getAddress } from '../node/node-address.js'
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
  follows: true,
  done: async ({ machine }, context) => (await findNode(machine, context).catch(() => undefined)) !== undefined,
  async run({ machine }, context) {
    const address = await getAddress(machine, context)
    context.assertLease()
    await context.talos.node({ machine, address }).restartService('kubelet', context.signal)
  },
  effect: () => undefined,
})
