import { z } from 'zod'
import type { Recovery, RecoveryStage } from '../cluster/recovery.js'
import type { Desired } from '../desired/desired.js'
import { findRecovery, rememberRecovery } from '../machine/recovery-memory.js'
import { defineStep } from './step.js'

const snapshotArgs = z.strictObject({ snapshot: z.string() })

/** The durable intent: from here on, `up` builds nothing until the restore is finished. */
export const beginRecovery = defineStep({
  kind: 'begin-recovery',
  args: snapshotArgs,
  title: ({ snapshot }) => `note in the secrets that etcd is restored from ${snapshot}`,
  changes: true,
  disruptive: false,
  done: async (_args, world, context) => (await findRecovery(world, context))?.stage === 'clearing',
  run: async (_args, world, context) => rememberRecovery('clearing', world, context),
  effect: ({ snapshot }, model, desired) =>
    model.change(({ secrets }) => ({ secrets: { ...secrets, recovery: planned(snapshot, 'clearing', desired) } })),
})

/** The restored etcd was seen, and the run that asked for it had ended before. */
export const endRecovery = defineStep({
  kind: 'end-recovery',
  args: snapshotArgs,
  title: ({ snapshot }) => `note in the secrets that etcd was restored from ${snapshot}`,
  changes: true,
  disruptive: false,
  done: async (_args, world) => (await world.secrets.find())?.memory.recovery?.stage === 'done',
  async run({ snapshot }, world, context) {
    context.assertLease()
    const recovery = planned(snapshot, 'done', context.desired)
    await world.secrets.remember({ bootstrapped: true, recovery })
  },
  effect: ({ snapshot }, model, desired) =>
    model.change(({ secrets }) => ({ secrets: { ...secrets, recovery: planned(snapshot, 'done', desired) } })),
})

function planned(snapshot: string, stage: RecoveryStage, { cluster }: Desired): Recovery {
  return { snapshot, stage, run: cluster.restore?.run ?? '' }
}
