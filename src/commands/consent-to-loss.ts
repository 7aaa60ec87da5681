import { PlanRefused } from '../errors.js'
import type { Plan } from '../plan/plan.js'
import { lossesOf } from '../plan/plan.js'
import { askYes } from './ask.js'
import type { Context } from './frame/context.js'

export const deleteDataArg = {
  deleteData: { type: 'flag', help: 'with --yes: data may be lost, too; the plan says which' },
} as const

/** Data is never lost by an answer to another question: it is listed and asked for, or has its own flag. */
export async function consentToLoss(
  plan: Plan,
  { isAsked, deleteData }: { readonly isAsked: boolean; readonly deleteData: boolean },
  context: Context,
): Promise<boolean> {
  const losses = lossesOf(plan)
  if (losses.length === 0 || deleteData) return true
  const listed = losses.join('; ')
  if (isAsked) return askYes(`This loses ${listed}. Lose it for good?`, context, '--yes --delete-data')
  throw new PlanRefused(`This would lose ${listed}.`, {
    where: `cluster ${plan.cluster}`,
    fix: 'Save what you need, and run the command again with --delete-data.',
  })
}
