import { withoutMachine } from './observed-change.js'
import { findOwned, getOwned, settle } from './owned-vm.js'
import { removeSeeds, withoutSeeds } from './seed.js'
import { defineStep } from './step.js'

/** Its seeds go, then the VM and its disks. What it is, is proven once more right before. */
export const deleteMachine = defineStep<{ machine: string; host: string }>({
  kind: 'delete-machine',
  title: ({ machine }) => `delete the VM of ${machine}`,
  lane: ({ host }) => ({ name: `delete:${host}`, limit: 4 }),
  changes: true,
  disruptive: true,
  done: async ({ machine }, world, context) => (await findOwned(machine, world, context)) === undefined,
  async run({ machine }, world, context) {
    const before = await getOwned(machine, world, context)
    await settle(before, world, context)
    await removeSeeds(before.host, machine, world, context)
    const owned = await getOwned(machine, world, context)
    context.assertLease()
    const task = await world.proxmox.machines.remove(owned, context.signal)
    await world.proxmox.tasks.wait(task, context.signal)
  },
  effect: ({ machine }, observed, desired) => withoutSeeds(withoutMachine(observed, machine), machine, desired),
})
