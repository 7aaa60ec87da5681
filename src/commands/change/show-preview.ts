import { typicalDurations } from '../../events/history.js'
import type { PlanView } from '../../events/plan-view.js'
import type { Goal } from '../../operations/goals.js'
import type { Session } from '../../operations/session.js'
import type { RunLimits } from '../../operations/spec/spec-of.js'
import { planText } from '../../report/plan/plan-text.js'
import { stepsText } from '../../report/plan/steps-text.js'
import { widthOf } from '../../report/screen-width.js'
import { textStyle } from '../../report/text-style.js'
import { withoutOtherLab } from '../forget-other-lab.js'
import type { Context } from '../frame/context.js'

/** The command that shows every step of a plan. */
export const dryRunHint = 'the same command with --dry-run --steps'

interface PreviewFlags {
  readonly json: boolean
  readonly steps: boolean
}

/** `--dry-run` of a verb with a goal of its own. */
export async function showOnly(
  { goal, limits }: { readonly goal: Goal; readonly limits?: RunLimits },
  flags: PreviewFlags,
  session: Session,
  context: Context,
): Promise<void> {
  const { previewRun } = await import('../../operations/preview.js')
  const { specOf } = await import('../../operations/spec/spec-of.js')
  const world = await withoutOtherLab(session.lab, session)
  const own = { ...session, world }
  const wanted = limits === undefined ? {} : { wanted: { spec: await specOf(own, limits) } }
  showPreview(await previewRun(own, { goal, ...wanted, signal: context.signal }), flags, session, context)
}

/** `--dry-run`: what a command would do, in the format of `plan`. */
export function showPreview(
  plan: PlanView,
  { json, steps }: PreviewFlags,
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
