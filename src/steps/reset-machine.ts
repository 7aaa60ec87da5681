import { guardLeave } from '../etcd/etcd-guards.js'
import { leavesEtcd, stopInstead } from '../etcd/leave-gracefully.js'
import { withoutMember } from '../etcd/planned-etcd.js'
import { drainRest } from '../node/drain.js'
import { guardIdentity } from '../node/guard-identity.js'
import { guardReplicas } from '../node/longhorn-replicas.js'
import { getAddress } from '../node/node-address.js'
import { withdrawFromHa } from '../vm/high-availability.js'
import { marked } from '../vm/marked.js'
import { changeMachine } from '../vm/observed-change.js'
import { findOwned, setOwned } from '../vm/owned-vm.js'
import { hasStatus } from '../vm/switch-power.js'
import { waitUntil } from '../work/wait-until.js'
import { defineStep, machineArgs, type StepContext } from './step.js'

const minute = 60_000
/** A node may reject a reset for a moment. One that rejects it again and again is stopped. */
const enoughAttempts = 3

/**
 * A reset: the node leaves etcd if it is a member, wipes its disks and shuts down. Its mark changes to `leaving` before
 * that, so that a later run knows that it is empty.
 */
export const resetMachine = defineStep({
  kind: 'reset-machine',
  args: machineArgs,
  title: ({ machine }) => `reset ${machine}`,
  changes: true,
  disruptive: true,
  writesVm: true,
  async done({ machine }, context) {
    const owned = await findOwned(machine, context)
    return owned === undefined || (owned.mark.stage === 'leaving' && (await hasStatus(machine, 'stopped', context)))
  },
  async guard({ machine }, context) {
    await guardIdentity(machine, await getAddress(machine, context), context)
    await guardLeave(machine, context)
    await guardReplicas(machine, context)
  },
  async run({ machine }, context) {
    const address = await getAddress(machine, context)
    await drainRest(machine, context)
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
    await withdrawFromHa(await setOwned(machine, leaving, context), context)
    // That may have taken a while, and what is wiped does not come back.
    await guardLeave(machine, context)
    const graceful = await leavesEtcd(machine, context)
    await resetNow(machine, { address, graceful }, context).catch((thrown) => {
      if (isTransient(thrown) && context.attempt < enoughAttempts) throw thrown
      return stopInstead(machine, thrown, context)
    })
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

async function resetNow(
  machine: string,
  { address, graceful }: { readonly address: string; readonly graceful: boolean },
  context: StepContext,
): Promise<void> {
  context.assertLease()
  await context.talos
    .node({ machine, address })
    .reset({ graceful, reboot: false, systemPartitions: ['STATE', 'EPHEMERAL'] }, context.signal)
  await waitUntil(
    {
      forWhat: `${machine} to reset and switch off`,
      where: `machine ${machine}`,
      timeoutMs: (graceful ? 10 : 5) * minute,
      intervalMs: 1000,
      fix: 'Run the same command again to continue.',
      machine,
    },
    async () => ((await hasStatus(machine, 'stopped', context)) ? true : undefined),
    context,
  )
}

function isTransient(thrown: unknown): boolean {
  return (thrown as { isTransient?: unknown }).isTransient === true
}
