import { defineStep, noArgs } from './step.js'

/**
 * etcd was observed but is not recorded in the secrets, for example after restoring an older copy of them: it must not
 * be bootstrapped again.
 */
export const rememberEtcd = defineStep({
  kind: 'remember-etcd',
  args: noArgs,
  title: () => 'note in the secrets that this cluster has its etcd',
  changes: true,
  disruptive: false,
  done: async (_args, { secrets }) => (await secrets.find())?.memory.bootstrapped === true,
  async run(_args, { secrets, assertLease }) {
    assertLease()
    await secrets.remember({ bootstrapped: true })
  },
  effect: (_args, model) => model.change(({ secrets }) => ({ secrets: { ...secrets, bootstrapped: true } })),
})
