import { typicalDurations } from '../../events/history.js'
import type { PlanView } from '../../events/plan-view.js'
import type { Session } from '../../operations/session.js'
import { planText } from '../../report/plan/plan-text.js'
import { stepsText } from '../../report/plan/steps-text.js'
import { widthOf } from '../../report/screen-width.js'
import { textStyle } from '../../report/text-style.js'
import type { Context } from '../frame/context.js'

/** The command that shows every step of a plan. */
export const dryRunHint = 'the same command with --dry-run --steps'

/** `--dry-run`: what a command would do, in the format of `plan`. */
export function showPreview(
  plan: PlanView,
  { json, steps }: { readonly json: boolean; readonly steps: boolean },
  { inventory, lab }: Pick<Session, 'inventory' | 'lab'>,
  { stdout, env }: Context,
): void {
  const layout = {
    style: textStyle(stdout, env),
    width: widthOf(stdout),
    expected: new Map([...typicalDurations(inventory.folder)].map(([kind, ms]) => [kind, ms / (lab?.speed ?? 1)])),
    stepsHint: dryRunHint,
  }
  const text = steps ? stepsText(plan, layout) : planText(plan, layout)
  stdout.write(json ? `${JSON.stringify(plan)}\n` : text)
}
