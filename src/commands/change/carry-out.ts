import { randomUUID } from 'node:crypto'
import type { ClusterSpec } from '../../desired/cluster-spec.js'
import type { Desired } from '../../desired/desired.js'
import type { Outcome } from '../../events.js'
import { checkLock } from '../../lock/check-lock.js'
import type { Observed } from '../../observe/observed.js'
import type { UpgradeLimit } from '../../plan/limit-upgrade.js'
import { changesOf } from '../../plan/plan.js'
import { askYes, declinedCode } from '../ask.js'
import { consentToLoss, deleteDataArg } from '../consent-to-loss.js'
import type { Context } from '../frame/context.js'
import type { Opened } from '../open-world.js'
import { openReporter } from '../reporter.js'
import { forceUnlockArg, inventoryArg, jsonArg, labArg, yesArg } from '../shared-args.js'
import { reportEnd } from '../up/report-end.js'
import { dryRunHint, showPreview } from './show-preview.js'

/** Something is left to do. */
const pausedCode = 4

/** The arguments of every command that changes a cluster. */
export const changeArgs = {
  ...inventoryArg,
  ...yesArg,
  ...jsonArg,
  ...labArg,
  ...forceUnlockArg,
  ...deleteDataArg,
  dryRun: { type: 'flag', help: 'show the plan; change nothing, including the inventory' },
} as const

export interface ChangeFlags {
  readonly yes: boolean
  readonly json: boolean
  readonly forceUnlock: boolean
  readonly deleteData: boolean
  readonly dryRun: boolean
}

export interface WantedChange {
  readonly spec: Omit<ClusterSpec, 'secrets'>
  /** Records the intent: after the user has agreed, and before the first change. */
  write(): Promise<void>
  /** How far an upgrade goes before it waits. */
  readonly limit?: UpgradeLimit
  /** Refuses what the plan cannot know, before the user is asked. */
  check?(facts: ChangeFacts): Promise<void>
}

interface ChangeFacts {
  readonly desired: Desired
  readonly observed: Observed
}

/**
 * Runs a command that changes the desired state: the plan is shown and confirmed, the intent is recorded, and the
 * reconcile executes it. `change` receives the ID of the run.
 */
export async function carryOut(
  change: (run: string) => Promise<WantedChange>,
  flags: ChangeFlags,
  opened: Opened,
  context: Context,
): Promise<number> {
  const { up, limited } = await import('../../goals.js')
  const goalOf = ({ limit }: WantedChange) => (limit === undefined ? up : limited(up, limit))
  if (flags.dryRun) {
    const wanted = await change(randomUUID())
    return showPreview({ ...wanted, goal: goalOf(wanted) }, flags, opened, context)
  }
  const { reconcile } = await import('../../reconcile.js')
  const { json, yes, deleteData, forceUnlock } = flags
  const reporter = openReporter({ json, folder: opened.inventory.folder, speed: opened.lab?.speed }, context)
  opened.onNotice(reporter.notice)
  let startedAt = Date.now()
  try {
    const wanted = await change(reporter.run)
    const { spec, write, check } = wanted
    const result = await reconcile({
      spec,
      world: opened.world,
      goal: goalOf(wanted),
      run: reporter.run,
      emit: reporter.emit,
      signal: context.signal,
      forceUnlock,
      confirm: async (plan, facts) => {
        await check?.(facts)
        const { world, lab } = opened
        await checkLock({ spec, plan, factory: world.factory, isLab: lab !== undefined, signal: context.signal })
        if (!json) reporter.showPlan(plan, facts, dryRunHint)
        if (!(await consentToLoss(plan, { isAsked: !yes, deleteData }, context))) return false
        if (!yes && changesOf(plan) > 0 && !(await askYes('Make these changes?', context))) return false
        await write()
        startedAt = Date.now()
        return true
      },
    })
    if (result.outcome === 'nothing-to-do') await write()
    reporter.end()
    const end = { json, until: 'healthy', startedAt, newKey: undefined }
    await reportEnd(result, end, { ...opened, inventory: spec.inventory }, context)
    return exitCodeOf(result.outcome)
  } finally {
    reporter.end()
  }
}

function exitCodeOf(outcome: Outcome): number {
  if (outcome === 'declined') return declinedCode
  return outcome === 'paused' ? pausedCode : 0
}
