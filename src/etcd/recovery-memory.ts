import type { Recovery, RecoveryStage } from '../cluster/recovery.js'
import type { Desired, DesiredRestore } from '../desired/desired.js'
import { noRecordOfRestore } from '../findings/refusals/backups.js'
import type { WorkContext } from '../work/work-context.js'

/** The restore that this run performs. */
export function restoreOf({ desired }: Pick<WorkContext, 'desired'>): DesiredRestore {
  const { restore } = desired.cluster
  if (restore === undefined) throw new Error('no restore is under way')
  return restore
}

/** The recorded state of the restore from this snapshot. */
export async function findRecovery(context: WorkContext): Promise<Recovery | undefined> {
  const recovery = (await context.secrets.find())?.memory.recovery
  return recovery?.snapshot === restoreOf(context).snapshot ? recovery : undefined
}

/** Recorded before the step that needs it, so that the next run continues where a killed one ended. */
export async function rememberRecovery(stage: RecoveryStage, context: WorkContext): Promise<void> {
  const { snapshot, run } = restoreOf(context)
  const before = (await context.secrets.find())?.memory.recovery
  context.assertLease()
  const isMade = stage === 'clearing' ? {} : { bootstrapped: true }
  const gone = goneFor(context.desired, before)
  await context.secrets.remember({ ...isMade, recovery: { snapshot, stage, run, gone } })
}

/**
 * Control planes that the user gives up, in this run or an earlier one. Workers are no risk and need no confirmation.
 */
export function goneFor({ cluster, away }: Desired, before: Recovery | undefined): string[] {
  const { restore } = cluster
  const lost =
    restore === undefined
      ? []
      : away.flatMap(({ machine: { name, role } }) => (restore.mayBeGone || role === 'worker' ? [name] : []))
  return [...new Set([...(before?.gone ?? []), ...lost])].sort()
}

/** Nothing of the old etcd is removed before the secrets record that it is being replaced. */
export async function guardClearing(machine: string, context: WorkContext): Promise<void> {
  const recovery = (await context.secrets.find())?.memory.recovery
  if (recovery?.gone?.includes(machine)) return
  const { restore } = context.desired.cluster
  if (restore !== undefined && recovery?.snapshot === restore.snapshot && recovery.stage === 'clearing') return
  throw noRecordOfRestore.refuse(`${machine} keeps its etcd: the secrets have no record that it is being replaced.`, {
    subject: { kind: 'machine', name: machine },
    where: `machine ${machine}`,
    fix: 'Run the same command again.',
  })
}
