import { randomUUID } from 'node:crypto'
import type { Outcome } from '../../events/event.js'
import type { WantedChange } from '../../operations/change/wanted-change.js'
import type { Session } from '../../operations/session.js'
import { declinedCode } from '../ask.js'
import { terminalConsent } from '../consent.js'
import { deleteDataArg } from '../consent-to-loss.js'
import { exitCodes } from '../exit-codes.js'
import type { Context } from '../frame/context.js'
import { openReporter } from '../reporter.js'
import { acceptArg, forceUnlockArg, inventoryArg, jsonArg, labArg, stepsArg, yesArg } from '../shared-args.js'
import { reportEnd } from '../up/report-end.js'
import { dryRunHint, showPreview } from './show-preview.js'
import type { EndOf } from './verb-end.js'

/** The arguments of every command that changes a cluster. */
export const changeArgs = {
  ...inventoryArg,
  ...yesArg,
  ...jsonArg,
  ...labArg,
  ...forceUnlockArg,
  ...acceptArg,
  ...deleteDataArg,
  dryRun: { type: 'flag', help: 'show the plan; change nothing, including the inventory' },
  ...stepsArg,
} as const

export interface ChangeFlags {
  readonly yes: boolean
  readonly json: boolean
  readonly forceUnlock: boolean
  readonly deleteData: boolean
  readonly accept: readonly string[]
  readonly dryRun: boolean
  readonly steps: boolean
}

/**
 * Runs a command that changes the desired state: the plan is shown and confirmed, the intent is recorded, and the
 * the run executes it. `change` receives the ID of the run, `end` describes its result.
 */
export async function carryOut(
  change: (run: string) => Promise<WantedChange>,
  flags: ChangeFlags,
  session: Session,
  context: Context,
  end: EndOf,
): Promise<number> {
  const { up } = await import('../../operations/goals.js')
  const { json, yes, deleteData, forceUnlock, accept } = flags
  if (flags.dryRun) {
    const { previewRun } = await import('../../operations/preview.js')
    const wanted = await change(randomUUID())
    showPreview(await previewRun(session, { goal: up, wanted, signal: context.signal }), flags, session, context)
    return 0
  }
  const { run } = await import('../../operations/run.js')
  const reporter = openReporter({ json, folder: session.inventory.folder, speed: session.lab?.speed }, context)
  let startedAt = Date.now()
  let { inventory } = session
  const onAgreed = () => {
    startedAt = Date.now()
  }
  try {
    const result = await run(session, {
      goal: up,
      want: async (id) => {
        const wanted = await change(id)
        inventory = wanted.spec.inventory
        return wanted
      },
      forceUnlock,
      accept,
      consent: terminalConsent({ yes, deleteData, stepsHint: dryRunHint, onAgreed }, reporter, context),
      sinks: [reporter.sink],
      signal: context.signal,
    })
    reporter.end()
    await reportEnd(result, { json, end, startedAt }, { ...session, inventory }, context)
    return exitCodeOf(result.outcome)
  } finally {
    reporter.end()
  }
}

function exitCodeOf(outcome: Outcome): number {
  if (outcome === 'declined') return declinedCode
  return outcome === 'paused' ? exitCodes.pending : exitCodes.done
}
