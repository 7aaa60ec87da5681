import { z } from 'zod'
import type { DesiredSnapshots } from '../desired/desired.js'
import { findAddress } from '../node/node-address.js'
import { defineStep } from './step.js'

/** An encrypted etcd snapshot, stored with the others: the way back from changes that cannot be undone. */
export const snapshotEtcd = defineStep({
  kind: 'snapshot-etcd',
  /** What the snapshot precedes, and the version that runs until then. */
  args: z.strictObject({ before: z.string(), talos: z.string(), kubernetes: z.string() }),
  title: ({ before }, { cluster: { snapshots } }) =>
    `take a snapshot of etcd before ${before}${snapshots === undefined ? '' : `, ${placeInWords(snapshots)}`}`,
  changes: true,
  disruptive: false,
  inUpgrade: 'before',
  inputs: (_args, { cluster: { snapshots } }) => ({ known: () => ({ ...snapshots }) }),
  done: async () => false,
  async run({ talos, kubernetes }, context) {
    const { machines } = context.observed
    const controlPlanes = machines.filter(({ mark }) => mark.role === 'controlplane' && mark.stage === 'made')
    const found = await Promise.all(
      controlPlanes.map(async ({ name }) => {
        const address = await findAddress(name, context)
        return address === undefined ? [] : [{ name, address }]
      }),
    )
    context.assertLease()
    const { recipients = [] } = context.desired.cluster.snapshots ?? {}
    const request = { recipients, controlPlanes: found.flat(), talosVersion: talos, kubernetesVersion: kubernetes }
    context.note(`${await context.backups.take(request, context.signal)} in ${context.backups.location}`)
  },
  effect: () => undefined,
})

/** Recipients that cannot decrypt the secrets are listed in full: a few letters of a key can be imitated. */
function placeInWords({ store, endpoint, recipients, secretsFor }: DesiredSnapshots): string {
  const place = `in ${store}${endpoint === undefined ? '' : ` at ${endpoint}`}`
  const others = recipients.filter((recipient) => !secretsFor.includes(recipient))
  const readers = [...(others.length < recipients.length ? ['recipients of the secrets'] : []), ...others]
  return readers.length === 0 ? place : `${place} for ${readers.join(', ')}`
}
