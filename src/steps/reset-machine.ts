import { guardLeave } from '../machine/etcd-guards.js'
import { guardIdentity } from '../machine/guard-identity.js'
import { withdrawFromHa } from '../machine/high-availability.js'
import { guardReplicas } from '../machine/longhorn-replicas.js'
import { marked } from '../machine/marked.js'
import { getAddress } from '../machine/node-address.js'
import { changeMachine } from '../machine/observed-change.js'
import { findOwned, setOwned } from '../machine/owned-vm.js'
import { withoutMember } from '../machine/planned-etcd.js'
import { hasStatus } from '../machine/switch-power.js'
import { waitUntil } from '../machine/wait-until.js'
import { defineStep, machineArgs } from './step.js'

const minute = 60_000

/**
 * A graceful reset: the node leaves etcd, wipes its disks and shuts down. Its mark changes to `leaving` before that, so
 * that a later run knows that it is empty.
 */
export const resetMachine = defineStep({
  kind: 'reset-machine',
  args: machineArgs,
  title: ({ machine }) => `reset ${machine}`,
  changes: true,
  disruptive: true,
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    return (
      owned === undefined || (owned.mark.stage === 'leaving' && (await hasStatus(machine, 'stopped', world, context)))
    )
  },
  async guard({ machine }, world, context) {
    await guardIdentity(machine, await getAddress(machine, world, context), world, context)
    await guardLeave(machine, world, context)
    await guardReplicas(machine, world, context)
  },
  async run({ machine }, world, context) {
    const address = await getAddress(machine, world, context)
    const leaving = ({
      mark,
      config,
    }: {
      mark: Parameters<typeof marked>[1]
      config: { options: { description?: string } }
    }) =>
      mark.stage === 'leaving'
        ? undefined
        : { description: marked(config.options.description, { ...mark, stage: 'leaving' }, context.desired) }
    await withdrawFromHa(await setOwned(machine, leaving, world, context), world, context)
    // That may have taken a while, and what is wiped does not come back.
    await guardLeave(machine, world, context)
    context.assertLease()
    await world.talos
      .node({ machine, address })
      .reset({ graceful: true, reboot: false, systemPartitions: ['STATE', 'EPHEMERAL'] }, context.signal)
    await waitUntil(
      {
        forWhat: `${machine} to reset and switch off`,
        where: `machine ${machine}`,
        timeoutMs: 10 * minute,
        intervalMs: 1000,
        fix: 'Run the same command again to continue.',
        machine,
      },
      async () => ((await hasStatus(machine, 'stopped', world, context)) ? true : undefined),
      world,
      context,
    )
  },
  effect: ({ machine }, model, desired) => {
    const role = model.machines.get(machine)?.mark.role
    changeMachine(model, desired, machine, ({ mark }) => ({
      status: 'stopped',
      talos: { reach: 'off' },
      mark: { ...mark, stage: 'leaving' },
    }))
    if (role === 'controlplane') model.change(({ etcd }) => ({ etcd: withoutMember(etcd, machine) }))
  },
})
