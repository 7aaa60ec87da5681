import { z } from 'zod'
import { findAddress } from '../machine/node-address.js'
import { defineStep } from './step.js'

/** An encrypted etcd snapshot, stored with the others: the way back from changes that cannot be undone. */
export const snapshotEtcd = defineStep({
  kind: 'snapshot-etcd',
  /** What the snapshot precedes, and the version that runs until then. */
  args: z.strictObject({ before: z.string(), talos: z.string(), kubernetes: z.string() }),
  title: ({ before }) => `take a snapshot of etcd before ${before}`,
  changes: true,
  disruptive: false,
  done: async () => false,
  async run({ talos, kubernetes }, world, context) {
    const controlPlanes = context.desired.machines.filter(({ machine }) => machine.role === 'controlplane')
    const found = await Promise.all(
      controlPlanes.map(async ({ machine: { name } }) => {
        const address = await findAddress(name, world, context)
        return address === undefined ? [] : [{ name, address }]
      }),
    )
    context.assertLease()
    const request = { controlPlanes: found.flat(), talosVersion: talos, kubernetesVersion: kubernetes }
    context.note(`${await world.backups.take(request, context.signal)} in ${world.backups.location}`)
  },
  effect: () => undefined,
})
