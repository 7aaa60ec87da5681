import { z } from 'zod'
import type { Recovery, RecoveryStage } from '../cluster/recovery.js'
import type { Desired } from '../desired/desired.js'
import { findRecovery, goneFor, rememberRecovery } from '../etcd/recovery-memory.js'
import { defineStep, machineArgs } from './step.js'

const snapshotArgs = z.strictObject({ snapshot: z.string() })

/** The durable intent: from here on, `up` builds nothing until the restore is finished. */
export const beginRecovery = defineStep({
  kind: 'begin-recovery',
  args: snapshotArgs,
  title: ({ snapshot }) => `note in the secrets that etcd is restored from ${snapshot}`,
  changes: true,
  disruptive: false,
  done: async (_args, context) => (await findRecovery(context))?.stage === 'clearing',
  run: async (_args, context) => rememberRecovery('clearing', context),
  effect: ({ snapshot }, model, desired) =>
    model.change(({ secrets }) => ({
      secrets: { ...secrets, recovery: planned(snapshot, 'clearing', desired, secrets.recovery) },
    })),
})

/** The restored etcd was observed after the run that requested it ended. */
export const endRecovery = defineStep({
  kind: 'end-recovery',
  args: snapshotArgs,
  title: ({ snapshot }) => `note in the secrets that etcd was restored from ${snapshot}`,
  changes: true,
  disruptive: false,
  done: async (_args, { secrets }) => (await secrets.find())?.memory.recovery?.stage === 'done',
  async run({ snapshot }, context) {
    const recovery = planned(snapshot, 'done', context.desired, (await context.secrets.find())?.memory.recovery)
    context.assertLease()
    await context.secrets.remember({ bootstrapped: true, recovery })
  },
  effect: ({ snapshot }, model, desired) =>
    model.change(({ secrets }) => ({
      secrets: { ...secrets, recovery: planned(snapshot, 'done', desired, secrets.recovery) },
    })),
})

/** A returned machine is removed from the list once its VM was recreated or it has restarted. */
export const forgetGone = defineStep({
  kind: 'forget-gone',
  args: machineArgs,
  title: ({ machine }) => `note in the secrets that ${machine} is no longer given up`,
  changes: true,
  disruptive: false,
  done: async ({ machine }, { secrets }) => !((await secrets.find())?.memory.recovery?.gone ?? []).includes(machine),
  async run({ machine }, context) {
    const recovery = (await context.secrets.find())?.memory.recovery
    context.assertLease()
    if (recovery !== undefined) await context.secrets.remember({ recovery: without(machine, recovery) })
  },
  effect: ({ machine }, model) =>
    model.change(({ secrets }) =>
      secrets.recovery === undefined ? {} : { secrets: { ...secrets, recovery: without(machine, secrets.recovery) } },
    ),
})

function without(machine: string, { gone = [], ...recovery }: Recovery): Recovery {
  return { ...recovery, gone: gone.filter((name) => name !== machine) }
}

function planned(snapshot: string, stage: RecoveryStage, desired: Desired, before: Recovery | undefined): Recovery {
  return { snapshot, stage, run: desired.cluster.restore?.run ?? '', gone: goneFor(desired, before) }
}
