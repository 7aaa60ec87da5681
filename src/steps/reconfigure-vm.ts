import { writeMark } from '../ownership/mark.js'
import { withMachine } from './observed-change.js'
import { findOwned, getOwned, machineOf } from './owned-vm.js'
import { defineStep, type StepContext } from './step.js'
import { wrongOptions } from './vm-drift.js'

/** Sets what differs from the wish on the VM; a user's own tags, notes and disks are left as they are. */
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
    const owned = await getOwned(machine, world, context)
    const wanted = machineOf(context.desired, machine)
    const { options, digest } = owned.config
    const wrong = wrongOptions(wanted, context.desired, options)
    const description = writeMark(options.description ?? '', { ...owned.mark, spec: wanted.spec })
    context.assertLease()
    const set = { ...Object.fromEntries(wrong.map(({ key, wanted: value }) => [key, value])), description }
    await world.proxmox.machines.setOptions(owned, { set, digest }, context.signal)
  },
  effect: ({ machine }, observed, desired) =>
    withMachine(observed, desired, machine, ({ options, status, pending }) => {
      const wrong = wrongOptions(machineOf(desired, machine), desired, options)
      const cold = status === 'running' ? wrong.filter(({ needsRestart }) => needsRestart).map(({ key }) => key) : []
      return {
        options: { ...options, ...Object.fromEntries(wrong.map(({ key, wanted }) => [key, wanted])) },
        pending: [...new Set([...pending, ...cold])],
      }
    }),
})

/** Stop and start: what is pending takes effect, which a reboot from inside does not do. */
export const restartVm = defineStep<{ machine: string; keys: readonly string[] }>({
  kind: 'restart-vm',
  title: ({ machine, keys }) => `restart ${machine} so that ${keys.join(', ')} take effect`,
  changes: true,
  disruptive: true,
  async done({ machine }, world, context) {
    const owned = await findOwned(machine, world, context)
    return owned !== undefined && (await world.proxmox.machines.pending(owned, context.signal)).every(isSettled)
  },
  async run({ machine }, world, context) {
    const owned = await getOwned(machine, world, context)
    context.assertLease()
    await stopAndStart(owned, world, context)
  },
  effect: ({ machine }, observed, desired) => withMachine(observed, desired, machine, { pending: [] }),
})

function isSettled({ pending, isDeleted }: { pending?: string; isDeleted: boolean }): boolean {
  return pending === undefined && !isDeleted
}

async function stopAndStart(
  owned: Awaited<ReturnType<typeof getOwned>>,
  world: Parameters<typeof getOwned>[1],
  { signal }: StepContext,
): Promise<void> {
  await world.proxmox.tasks.wait(await world.proxmox.machines.stop(owned, signal), signal)
  await world.proxmox.tasks.wait(await world.proxmox.machines.start(owned, signal), signal)
}
