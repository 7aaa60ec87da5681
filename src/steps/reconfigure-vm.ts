import { writeMark } from '../ownership/mark.js'
import type { World } from '../world.js'
import { guardPause } from './etcd-now.js'
import { withMachine } from './observed-change.js'
import { findOwned, getOwned, machineOf, setOwned } from './owned-vm.js'
import { defineStep, type StepContext } from './step.js'
import { switchPower } from './switch-power.js'
import { type WrongOption, wrongOptions } from './vm-drift.js'

/** Sets what differs from the spec on the VM; a user's own tags, notes and disks are left as they are. */
export const reconfigureVm = defineStep<{ machine: string; keys: readonly string[] }>({
  kind: 'reconfigure-vm',
  title: ({ machine, keys }) => `set ${keys.join(', ')} of the VM of ${machine}`,
  changes: true,
  disruptive: false,
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    return (
      owned !== undefined &&
      wrongOptions(machineOf(context.desired, machine), context.desired, owned.config.options).length === 0
    )
  },
  async run({ machine }, world, context) {
    const wanted = machineOf(context.desired, machine)
    await setOwned(
      machine,
      ({ mark, config: { options } }) => ({
        ...Object.fromEntries(
          wrongOptions(wanted, context.desired, options).map(({ key, wanted: value }) => [key, value]),
        ),
        description: writeMark(options.description ?? '', { ...mark, spec: wanted.spec }),
      }),
      world,
      context,
    )
  },
  effect: ({ machine }, observed, desired) =>
    withMachine(observed, desired, machine, ({ options, status, pending, running }) => {
      const wrong = wrongOptions(machineOf(desired, machine), desired, options, running)
      const cold = status === 'running' ? wrong.filter(({ needsRestart }) => needsRestart).map(({ key }) => key) : []
      const others = pending.filter((waiting) => !wrong.some(({ key }) => key === waiting))
      return { options: withOptions(options, wrong), pending: [...others, ...cold] }
    }),
})

function withOptions(options: Readonly<Record<string, string>>, wrong: readonly WrongOption[]): Record<string, string> {
  const kept = Object.entries(options).filter(([key]) => !wrong.some((option) => option.key === key))
  const set = wrong.flatMap(({ key, wanted }) => (wanted === undefined ? [] : [[key, wanted]]))
  return Object.fromEntries([...kept, ...set])
}

/** Stop and start: what is pending takes effect, which a reboot from inside does not do. */
export const restartVm = defineStep<{ machine: string; keys: readonly string[] }>({
  kind: 'restart-vm',
  title: ({ machine, keys }) =>
    `restart ${machine} so that ${keys.join(', ')} ${keys.length === 1 ? 'takes' : 'take'} effect`,
  changes: true,
  disruptive: true,
  done: async ({ machine, keys }, world, context) => !(await hasPending(machine, keys, world, context)),
  async guard({ machine }, world, context) {
    if (machineOf(context.desired, machine).machine.role === 'controlplane') await guardPause(machine, world, context)
  },
  async run({ machine }, world, context) {
    for (const power of ['stopped', 'running'] as const) {
      const owned = await getOwned(machine, world, context)
      context.assertLease()
      await switchPower(owned, power, world, context)
    }
  },
  effect: ({ machine }, observed, desired) => withMachine(observed, desired, machine, { pending: [] }),
})

/** Whether any of these options still waits for a cold start. */
export async function hasPending(
  machine: string,
  keys: readonly string[],
  world: World,
  context: StepContext,
): Promise<boolean> {
  const owned = await getOwned(machine, world, context)
  const changes = await world.proxmox.machines.pending(owned, context.signal)
  return changes.some(({ key, pending, isDeleted }) => keys.includes(key) && (pending !== undefined || isDeleted))
}
