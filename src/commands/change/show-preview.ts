import type { Goal } from '../../goals.js'
import { typicalDurations } from '../../journal/history.js'
import { lockDeviations } from '../../lock/check-lock.js'
import { planReport } from '../../report/plan/plan-report.js'
import { planText } from '../../report/plan/plan-text.js'
import { widthOf } from '../../report/screen-width.js'
import { textStyle } from '../../report/text-style.js'
import type { Context } from '../frame/context.js'
import type { Opened } from '../open-world.js'
import type { WantedChange } from './carry-out.js'

/** The command that shows every step of a plan. */
export const dryRunHint = 'the same command with --dry-run --json'

/** `--dry-run`: what a command would do, in the format of `plan`. */
export async function showPreview(
  {
    spec,
    check,
    goal,
    notes = [],
  }: Pick<WantedChange, 'spec' | 'check'> & { readonly goal: Goal; readonly notes?: readonly string[] },
  { json }: { readonly json: boolean },
  { world, lab }: Pick<Opened, 'world' | 'lab'>,
  { stdout, env, signal }: Context,
): Promise<number> {
  const { preview } = await import('../../reconcile.js')
  const { plan, ...facts } = await preview({ spec, world, goal, signal })
  await check?.(facts)
  const durations = typicalDurations(spec.inventory.folder)
  const layout = {
    style: textStyle(stdout, env),
    width: widthOf(stdout),
    expected: new Map([...durations].map(([kind, ms]) => [kind, ms / (lab?.speed ?? 1)])),
    stepsHint: dryRunHint,
  }
  const isLab = lab !== undefined
  const deviations = await lockDeviations({ spec, plan, factory: world.factory, isLab, signal })
  const whole = { ...plan, notes: [...plan.notes, ...notes, ...deviations] }
  stdout.write(json ? `${JSON.stringify(planReport(whole, facts))}\n` : planText(whole, facts, layout))
  return 0
}
