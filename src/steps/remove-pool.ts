import { PlanRefused } from '../errors.js'
import { defineStep } from './step.js'

/** The last trace of the cluster on Proxmox: the lease that protects this run, and the pool around it. */
export const removePool = defineStep<Record<string, never>>({
  kind: 'remove-pool',
  title: (_args, desired) => `remove the Proxmox pool ${desired.cluster.pool}`,
  changes: true,
  disruptive: false,
  done: async (_args, { proxmox }, { desired, signal }) =>
    (await proxmox.pools.find(desired.cluster.pool, signal)) === undefined,
  async run(_args, { proxmox }, { desired, signal, assertLease, endLease }) {
    assertLease()
    await endLease()
    const left = await proxmox.pools.find(desired.cluster.pool, signal)
    if (left === undefined) return
    throw new PlanRefused(`The pool ${desired.cluster.pool} could not be removed: it is not empty.`, {
      where: `Proxmox pool ${desired.cluster.pool}`,
      fix: 'Somebody put other guests or storages into it. Take them out in Proxmox, then run ichor destroy again.',
    })
  },
  effect: (_args, observed) => ({ ...observed, proxmox: { ...observed.proxmox, poolExists: false } }),
})
