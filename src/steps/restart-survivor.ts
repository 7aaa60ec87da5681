import { z } from 'zod'
import { guardPause } from '../etcd/etcd-guards.js'
import { readBootId } from '../node/boot-id.js'
import { guardIdentity } from '../node/guard-identity.js'
import { getAddress } from '../node/node-address.js'
import { awaitedRestart, awaitsRestart, withoutRestart, withRestart } from '../vm/awaited-restart.js'
import { marked } from '../vm/marked.js'
import { changeMachine } from '../vm/observed-change.js'
import { findOwned, setOwned } from '../vm/owned-vm.js'
import { waitUntil } from '../work/wait-until.js'
import { defineStep, machineArgs } from './step.js'

const minute = 60_000

/** Before etcd is restored: machines that keep running restart afterwards, in whichever run gets there. */
export const markSurvivor = defineStep({
  kind: 'mark-survivor',
  args: z.strictObject({ machine: z.string(), snapshot: z.string() }),
  title: ({ machine }) => `note that ${machine} must restart after the restore`,
  changes: true,
  disruptive: false,
  writesVm: true,
  async done({ machine, snapshot }, context) {
    const owned = await findOwned(machine, context)
    return owned === undefined || awaitedRestart(owned.mark) === snapshot
  },
  async run({ machine, snapshot }, context) {
    await setOwned(
      machine,
      ({ mark, config }) => ({
        description: marked(config.options.description, withRestart(mark, snapshot), context.desired),
      }),
      context,
    )
  },
  effect: ({ machine, snapshot }, model, desired) =>
    changeMachine(model, desired, machine, ({ mark }) => ({ mark: withRestart(mark, snapshot) })),
})

/**
 * A restored etcd continues at the revision of the snapshot. Kubelets, CNI agents and controllers that were running
 * would wait for revisions in the past. A reboot makes them all list again.
 */
export const restartSurvivor = defineStep({
  kind: 'restart-survivor',
  args: machineArgs,
  title: ({ machine }) => `reboot ${machine}, which ran through the restore`,
  changes: true,
  disruptive: true,
  writesVm: true,
  done: async ({ machine }, context) => !(await awaitsRestart(machine, context)),
  async guard({ machine }, context) {
    await guardIdentity(machine, await getAddress(machine, context), context)
    await guardPause(machine, context)
  },
  async run({ machine }, context) {
    const node = context.talos.node({ machine, address: await getAddress(machine, context) })
    const before = await readBootId(node, context.signal)
    context.assertLease()
    await node.reboot('default', context.signal)
    await waitUntil(
      {
        forWhat: `${machine} to reboot`,
        where: `machine ${machine}`,
        timeoutMs: 10 * minute,
        intervalMs: 1000,
        fix: 'Look at its console in Proxmox. Run the same command again to continue.',
        machine,
      },
      async () => ((await readBootId(node, context.signal)) === before ? undefined : true),
      context,
    )
    await setOwned(
      machine,
      ({ mark, config }) => ({
        description: marked(config.options.description, withoutRestart(mark), context.desired),
      }),
      context,
    )
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ mark }) => ({ mark: withoutRestart(mark) })),
})
