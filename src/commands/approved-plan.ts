import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { FileError, PlanRefused } from '../errors.js'
import type { Plan } from '../plan/plan.js'
import { planReport } from '../report/plan/plan-report.js'
import type { Context } from './frame/context.js'

/** What `ichor plan --out` wrote, and somebody approved. */
export type ApprovedPlan = ReturnType<typeof planReport> & { readonly file: string }

/** An approval covers just the steps that were approved: any other plan is refused. With `--until`, fewer may be taken. */
export function refuseMovedWorld(approved: ApprovedPlan, plan: Plan, isPartial: boolean): void {
  const reported = planReport(plan)
  const before = approved.steps.map(({ id, title }) => `${id} ${title}`).join('\n')
  const after = reported.steps.map(({ id, title }) => `${id} ${title}`).join('\n')
  const isCovered = isPartial ? after.split('\n').every((step) => before.split('\n').includes(step)) : before === after
  if (approved.cluster === reported.cluster && isCovered) return
  throw new PlanRefused(
    'The plan no longer fits: since it was approved something has changed, and other steps are needed now.',
    {
      where: approved.file,
      fix: 'Make a new plan with ichor plan --out, and have it approved.',
    },
  )
}

/** Read before anything is asked or started: a wrong file is said at once. */
export async function readApproved(file: string, { cwd }: Context): Promise<ApprovedPlan> {
  const where = resolve(cwd, file)
  const fix = 'Give the file that ichor plan --out wrote.'
  try {
    const parsed = JSON.parse(await readFile(where, 'utf8')) as ReturnType<typeof planReport>
    if (parsed?.version === 1 && hasSteps(parsed)) return { ...parsed, file: where }
  } catch (cause) {
    throw new FileError('The plan cannot be read.', { where, fix, cause })
  }
  throw new FileError('The file holds no plan.', { where, fix })
}

function hasSteps({ steps }: { readonly steps?: unknown }): boolean {
  const isStep = (step: unknown) => typeof step === 'object' && step !== null && 'id' in step && 'title' in step
  return Array.isArray(steps) && steps.every(isStep)
}
