import { defineStep } from './step.js'

/** The only thing that is remembered: made, encrypted and synced to disk before the first VM exists. */
export const makeSecrets = defineStep<Record<string, never>>({
  kind: 'make-secrets',
  title: () => 'make the secrets of the cluster, encrypted beside the inventory',
  changes: true,
  disruptive: false,
  done: async (_args, { secrets }) => (await secrets.find()) !== undefined,
  async run(_args, { secrets }, { desired, note, assertLease }) {
    assertLease()
    await secrets.make(desired.cluster.contract)
    note(`written to ${secrets.location}`)
  },
  effect: (_args, observed) => ({ ...observed, secrets: { present: true, bootstrapped: false, clusterId: 'planned' } }),
})
