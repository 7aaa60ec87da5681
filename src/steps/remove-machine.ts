import type { World } from '../world.js'
import { withoutMachine } from './observed-change.js'
import { findOwned, getOwned, settle } from './owned-vm.js'
import { removeSeeds } from './seed.js'
import { defineStep, type StepContext } from './step.js'

/** The VM and its disks go. What it is, is proven once more right before. */
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
    await dropSeeds(before.host, machine, world, context)
    const owned = await getOwned(machine, world, context)
    context.assertLease()
    const task = await world.proxmox.machines.remove(owned, context.signal)
    await world.proxmox.tasks.wait(task, context.signal)
  },
  effect: ({ machine }, observed) => withoutMachine(observed, machine),
})

/** Any storage of the host that could hold a seed of this machine. */
async function dropSeeds(host: string, machine: string, world: World, context: StepContext): Promise<void> {
  const storages = context.observed.proxmox.storages.filter(
    (storage) => storage.host === host && storage.available && storage.content.includes('iso'),
  )
  for (const { storage } of storages) await removeSeeds(host, storage, machine, world, context)
}
