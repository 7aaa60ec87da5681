import { z } from 'zod'
import { seen } from '../cluster/seen.js'
import { guardLeft } from '../etcd/etcd-guards.js'
import { guardReplicas } from '../node/longhorn-replicas.js'
import { dataDisks } from '../vm/data-disks.js'
import { removeVm } from '../vm/observed-change.js'
import { findOwned, getOwned, settle } from '../vm/owned-vm.js'
import { assertPooled } from '../vm/pooled.js'
import { rememberHome } from '../vm/remembered-homes.js'
import { forgetSeeds, removeLastSeeds } from '../vm/seed.js'
import { findSeen } from '../work/wanted-machine.js'
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
  writesVm: true,
  loses: ({ machine }, observed) => {
    const disks = dataDisks(findSeen(observed, machine)?.options ?? {})
    return disks.length === 0 ? [] : [`${disks.join(', ')} of ${machine}`]
  },
  done: async ({ machine }, context) => (await findOwned(machine, context)) === undefined,
  async guard({ machine, teardown }, context) {
    if (teardown) return
    await guardLeft(machine, context)
    if (findSeen(context.observed, machine) !== undefined) await guardReplicas(machine, context)
  },
  async run({ machine }, context) {
    const before = await getOwned(machine, context)
    await settle(before, context)
    await removeLastSeeds(before, context)
    await assertPooled(before, context)
    context.assertLease()
    const owned = await getOwned(machine, context)
    const task = await context.proxmox.machines.remove(owned, context.signal)
    await context.proxmox.tasks.wait(task, context.signal)
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
