import { defineStep } from './step.js'

/** The pool that holds the machines of the cluster, and its leases as children. */
export const makePool = defineStep<Record<string, never>>({
  kind: 'make-pool',
  title: (_args, desired) => `create the Proxmox pool ${desired.cluster.pool}`,
  changes: true,
  disruptive: false,
  done: async (_args, { proxmox }, { desired, signal }) =>
    (await proxmox.pools.find(desired.cluster.pool, signal)) !== undefined,
  async run(_args, { proxmox }, { desired, signal, assertLease }) {
    assertLease()
    await proxmox.pools.create(desired.cluster.pool, poolComment(desired.cluster.name, desired.cluster.id), signal)
  },
  effect: (_args, observed) => ({ ...observed, proxmox: { ...observed.proxmox, poolExists: true } }),
})

/** So that `destroy` finds the cluster's id without its secrets. */
export function poolComment(name: string, id: string | undefined): string {
  return `ichor cluster ${name}${id === undefined ? '' : ` ${id}`}`
}
