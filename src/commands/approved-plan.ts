import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { FileError, PlanRefused } from '../errors.js'
import type { Plan } from '../plan/plan.js'
import { planReport } from '../report/plan-text.js'
import type { Context } from './frame/context.js'

/** An approval covers just the steps that were approved: any other plan is refused. */
export async function refuseMovedWorld(file: string, plan: Plan, { cwd }: Context): Promise<void> {
  const approved = await readApproved(resolve(cwd, file))
  const told = planReport(plan)
  const before = approved.steps.map(({ id, title }) => `${id} ${title}`).join('\n')
  const after = told.steps.map(({ id, title }) => `${id} ${title}`).join('\n')
  if (approved.cluster === told.cluster && before === after) return
  throw new PlanRefused('The world has moved since this plan was approved: other steps are needed now.', {
    where: file,
    fix: 'Make a new plan with ichor plan --out, and have it approved.',
  })
}

async function readApproved(file: string): Promise<ReturnType<typeof planReport>> {
  try {
    const parsed = JSON.parse(await readFile(file, 'utf8')) as ReturnType<typeof planReport>
    if (parsed.version === 1 && Array.isArray(parsed.steps)) return parsed
  } catch (cause) {
    throw new FileError('The plan cannot be read.', {
      where: file,
      fix: 'Give the file that ichor plan --out wrote.',
      cause,
    })
  }
  throw new FileError('The file holds no plan.', { where: file, fix: 'Give the file that ichor plan --out wrote.' })
}
