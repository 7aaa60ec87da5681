import { defineStep } from './step.js'

/** The last trace of the cluster on Proxmox. Its lease goes with it, at the very end of the run. */
export const removePool = defineStep<Record<string, never>>({
  kind: 'remove-pool',
  title: (_args, desired) => `remove the Proxmox pool ${desired.cluster.pool}`,
  changes: true,
  disruptive: false,
  done: async (_args, { proxmox }, { desired, signal }) =>
    (await proxmox.pools.find(desired.cluster.pool, signal)) === undefined,
  async run(_args, { proxmox }, { desired, signal, assertLease }) {
    assertLease()
    const children = (await proxmox.pools.list(signal)).filter(({ id }) => id.startsWith(`${desired.cluster.pool}/`))
    for (const { id } of children) await proxmox.pools.remove(id, signal)
    await proxmox.pools.remove(desired.cluster.pool, signal)
  },
  effect: (_args, observed) => ({ ...observed, proxmox: { ...observed.proxmox, poolExists: false } }),
})
