import { defineStep, noArgs } from './step.js'

/** The only stored state: created, encrypted and synced to disk before the first VM exists. */
export const makeSecrets = defineStep({
  kind: 'make-secrets',
  args: noArgs,
  title: (_args, { cluster: { secretsHome } }) => `create the cluster secrets, ${placeInWords(secretsHome)}`,
  inputs: (_args, { cluster: { secretsHome, contract } }) => ({ known: () => ({ home: secretsHome, contract }) }),
  changes: true,
  disruptive: false,
  async done(_args, { secrets, resolveAgain }) {
    if ((await secrets.find()) === undefined) return false
    await resolveAgain()
    return true
  },
  async run(_args, { secrets, desired, note, assertLease, resolveAgain }) {
    assertLease()
    await secrets.make(desired.cluster.contract)
    note(`written to ${secrets.location}`)
    await resolveAgain()
  },
  effect: (_args, model) =>
    model.change(() => ({ secrets: { present: true, bootstrapped: false, clusterId: 'planned', sealed: true } })),
})

function placeInWords(home: string | undefined): string {
  if (home === 'plain') return 'unencrypted beside the inventory'
  return home?.startsWith('vault://') === true ? `in ${home}` : 'encrypted beside the inventory'
}
