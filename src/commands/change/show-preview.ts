import type { Goal } from '../../goals.js'
import { typicalDurations } from '../../journal/history.js'
import { planReport } from '../../report/plan/plan-report.js'
import { planText } from '../../report/plan/plan-text.js'
import { widthOf } from '../../report/screen-width.js'
import { textStyle } from '../../report/text-style.js'
import type { Context } from '../frame/context.js'
import type { Opened } from '../open-world.js'
import type { WantedChange } from './carry-out.js'

/** `--dry-run`: what a verb would do, as `plan` shows it. */
export async function showPreview(
  { spec, check, goal }: Pick<WantedChange, 'spec' | 'check'> & { readonly goal: Goal },
  { json }: { readonly json: boolean },
  { world, lab }: Opened,
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
    stepsHint: 'the same command with --dry-run --json',
  }
  stdout.write(json ? `${JSON.stringify(planReport(plan, facts))}\n` : planText(plan, facts, layout))
  return 0
}
