import { z } from 'zod'
import { awaitedRestart, awaitsRestart, withoutRestart, withRestart } from '../machine/awaited-restart.js'
import { readBootId } from '../machine/boot-id.js'
import { guardPause } from '../machine/etcd-guards.js'
import { guardIdentity } from '../machine/guard-identity.js'
import { marked } from '../machine/marked.js'
import { getAddress } from '../machine/node-address.js'
import { changeMachine } from '../machine/observed-change.js'
import { findOwned, setOwned } from '../machine/owned-vm.js'
import { waitUntil } from '../machine/wait-until.js'
import { defineStep, machineArgs } from './step.js'

const minute = 60_000

/** Before etcd is restored: machines that keep running restart afterwards, in whichever run gets there. */
export const markSurvivor = defineStep({
  kind: 'mark-survivor',
  args: z.strictObject({ machine: z.string(), snapshot: z.string() }),
  title: ({ machine }) => `note that ${machine} must restart after the restore`,
  changes: true,
  disruptive: false,
  async done({ machine, snapshot }, world, context) {
    const owned = await findOwned(machine, world, context)
    return owned === undefined || awaitedRestart(owned.mark) === snapshot
  },
  async run({ machine, snapshot }, world, context) {
    await setOwned(
      machine,
      ({ mark, config }) => ({
        description: marked(config.options.description, withRestart(mark, snapshot), context.desired),
      }),
      world,
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
  done: async ({ machine }, world, context) => !(await awaitsRestart(machine, world, context)),
  async guard({ machine }, world, context) {
    await guardIdentity(machine, await getAddress(machine, world, context), world, context)
    await guardPause(machine, world, context)
  },
  async run({ machine }, world, context) {
    const node = world.talos.node({ machine, address: await getAddress(machine, world, context) })
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
      world,
      context,
    )
    await setOwned(
      machine,
      ({ mark, config }) => ({
        description: marked(config.options.description, withoutRestart(mark), context.desired),
      }),
      world,
      context,
    )
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ mark }) => ({ mark: withoutRestart(mark) })),
})
