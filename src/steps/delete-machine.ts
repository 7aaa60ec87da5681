import { z } from 'zod'
import { seen } from '../cluster/seen.js'
import { dataDisks } from '../machine/data-disks.js'
import { guardLeft } from '../machine/etcd-guards.js'
import { guardReplicas } from '../machine/longhorn-replicas.js'
import { removeVm } from '../machine/observed-change.js'
import { findOwned, getOwned, settle } from '../machine/owned-vm.js'
import { assertPooled } from '../machine/pooled.js'
import { rememberHome } from '../machine/remembered-homes.js'
import { forgetSeeds, removeLastSeeds } from '../machine/seed.js'
import { findSeen } from '../machine/wanted-machine.js'
import { defineStep } from './step.js'

/** Deletes its seeds, then the VM and its disks. Ownership is verified again right before. */
export const deleteMachine = defineStep({
  kind: 'delete-machine',
  /** `teardown`: the whole cluster is deleted, including etcd. */
  args: z.strictObject({ machine: z.string(), teardown: z.literal(true).optional() }),
  title: ({ machine }) => `delete the VM of ${machine}`,
  lane: ({ machine }, _desired, observed) => ({ name: `delete:${findSeen(observed, machine)?.host ?? ''}`, limit: 4 }),
  changes: true,
  disruptive: true,
  loses: ({ machine }, observed) => {
    const disks = dataDisks(findSeen(observed, machine)?.options ?? {})
    return disks.length === 0 ? [] : [`${disks.join(', ')} of ${machine}`]
  },
  done: async ({ machine }, world, context) => (await findOwned(machine, world, context)) === undefined,
  async guard({ machine, teardown }, world, context) {
    if (teardown) return
    await guardLeft(machine, world, context)
    if (findSeen(context.observed, machine) !== undefined) await guardReplicas(machine, world, context)
  },
  async run({ machine }, world, context) {
    const before = await getOwned(machine, world, context)
    await settle(before, world, context)
    await removeLastSeeds(before, world, context)
    await assertPooled(before, world, context)
    context.assertLease()
    const owned = await getOwned(machine, world, context)
    const task = await world.proxmox.machines.remove(owned, context.signal)
    await world.proxmox.tasks.wait(task, context.signal)
  },
  effect: ({ machine }, model, desired) => {
    rememberHome(model, machine, desired)
    const wasControlPlane = model.controlPlanes.has(machine)
    removeVm(model, machine)
    forgetSeeds(model, machine, desired)
    const isLast = wasControlPlane && model.controlPlanes.size === 0
    if (isLast) model.change(() => ({ etcd: seen(undefined), kubernetes: seen(undefined) }))
  },
})
