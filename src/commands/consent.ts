import type { Consent } from '../operations/run.js'
import { askYes } from './ask.js'
import { dryRunHint } from './change/show-preview.js'
import { consentToLoss } from './consent-to-loss.js'
import type { Context } from './frame/context.js'
import type { Reporter } from './reporter.js'

export interface ConsentOptions {
  /** `--yes`, or a plan that was approved. */
  readonly yes: boolean
  readonly deleteData?: boolean
  readonly question?: string
  readonly stepsHint?: string
  /** Called when the user has agreed. */
  readonly onAgreed?: () => void
}

const cleanUpQuestion = 'Remove what a killed drill has left behind?'

/** Shows the plan, and asks on the terminal unless the user has agreed already. */
export function terminalConsent(options: ConsentOptions, reporter: Reporter, context: Context): Consent {
  const { yes, deleteData = false, question = 'Make these changes?', stepsHint, onAgreed } = options
  return {
    confirm: async (plan) => {
      const isCleanUp = plan.goal === 'clean-up'
      reporter.showPlan(plan, isCleanUp ? dryRunHint : stepsHint)
      if (isCleanUp) return yes || plan.changes === 0 || askYes(cleanUpQuestion, context)
      if (!(await consentToLoss(plan, { isAsked: !yes, deleteData }, context))) return false
      const isAgreed = yes || plan.changes === 0 || (await askYes(question, context))
      if (isAgreed) onAgreed?.()
      return isAgreed
    },
  }
}
