import { findNode } from './join-node.js'
import { findAddress } from './node-address.js'
import { defineStep } from './step.js'

/**
 * A kubelet registers its node only when it starts: one that was deleted, or that a new etcd never knew, comes back with
 * the kubelet alone. Containers go on meanwhile; once too often does no harm.
 */
export const restartKubelet = defineStep<{ machine: string }>({
  kind: 'restart-kubelet',
  title: ({ machine }) => `restart the kubelet of ${machine}`,
  changes: true,
  disruptive: false,
  done: async ({ machine }, world, context) =>
    (await findNode(machine, world, context).catch(() => undefined)) !== undefined,
  async run({ machine }, world, context) {
    const address = await findAddress(machine, world, context)
    if (address === undefined) throw new Error(`no address of ${machine} is known`)
    context.assertLease()
    await world.talos.node({ machine, address }).restartService('kubelet', context.signal)
  },
  effect: (_args, observed) => observed,
})
