import { defineStep, noArgs } from './step.js'

/** The etcd of this cluster was removed on purpose: the next `up` may bootstrap a new one. */
export const forgetEtcd = defineStep({
  kind: 'forget-etcd',
  args: noArgs,
  title: () => 'record in the secrets that the etcd of this cluster was removed',
  changes: true,
  disruptive: false,
  done: async (_args, { secrets }) => (await secrets.find())?.memory.bootstrapped !== true,
  async run(_args, { secrets, assertLease }) {
    assertLease()
    const recovery = (await secrets.find())?.memory.recovery
    await secrets.remember({
      bootstrapped: false,
      ...(recovery === undefined ? {} : { recovery: { ...recovery, stage: 'done' as const, gone: [] } }),
    })
  },
  effect: (_args, model) => model.change(({ secrets }) => ({ secrets: { ...secrets, bootstrapped: false } })),
})
