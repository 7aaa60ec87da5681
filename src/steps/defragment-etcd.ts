import { guardPause } from '../etcd/etcd-guards.js'
import { guardIdentity } from '../node/guard-identity.js'
import { getAddress } from '../node/node-address.js'
import { waitUntil } from '../work/wait-until.js'
import { defineStep, machineArgs } from './step.js'

/** The member does not respond meanwhile, so the others must be a majority. Repeating it does no harm. */
export const defragmentEtcd = defineStep({
  kind: 'defragment-etcd',
  args: machineArgs,
  title: ({ machine }) => `defragment the etcd of ${machine}`,
  changes: true,
  disruptive: false,
  done: async () => false,
  async guard({ machine }, context) {
    await guardIdentity(machine, await getAddress(machine, context), context)
    await guardPause(machine, context)
  },
  async run({ machine }, context) {
    const { etcd } = context.talos.node({ machine, address: await getAddress(machine, context) })
    const { dbSize: before } = await etcd.status(context.signal)
    context.assertLease()
    await etcd.defragment(context.signal)
    await waitUntil(
      {
        forWhat: `the etcd of ${machine} to respond`,
        where: `machine ${machine}`,
        timeoutMs: 120_000,
        intervalMs: 1000,
        fix: `Look at its log: ichor logs ${machine} etcd`,
        machine,
      },
      async () => {
        const { leader, dbSize } = await etcd.status(context.signal)
        if (/^0*$/.test(leader)) return false
        context.note(`${inMiB(before)} -> ${inMiB(dbSize)} MiB`)
        return true
      },
      context,
    )
  },
  effect: () => undefined,
})

function inMiB(bytes: number): number {
  return Math.round(bytes / 1024 ** 2)
}
