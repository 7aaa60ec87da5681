import type { PlanView } from '../events/plan-view.js'
import { dataLoss } from '../findings/refusals/runs.js'
import { lossesOf } from '../plan/plan.js'
import { askYes } from './ask.js'
import type { Context } from './frame/context.js'

export const deleteDataArg = {
  deleteData: { type: 'flag', help: 'with --yes: also delete the data listed in the plan' },
} as const

interface Consent {
  readonly isAsked: boolean
  readonly deleteData: boolean
}

type Shown = Pick<PlanView, 'cluster'> & Parameters<typeof lossesOf>[0]

/** Data loss needs separate consent: it is listed and asked for, or has its own flag. */
export function consentToLoss(plan: Shown, consent: Consent, context: Context): Promise<boolean> {
  return consentTo(lossesOf(plan), plan.cluster, consent, context)
}

/** The same for losses that no plan lists. */
export async function consentTo(
  losses: readonly string[],
  cluster: string,
  { isAsked, deleteData }: Consent,
  context: Context,
): Promise<boolean> {
  if (losses.length === 0 || deleteData) return true
  const listed = losses.join('; ')
  if (isAsked) return askYes(`This loses ${listed}. Delete it permanently?`, context, '--yes --delete-data')
  throw dataLoss.refuse(`This would lose ${listed}.`, {
    subject: { kind: 'cluster', name: cluster },
    where: `cluster ${cluster}`,
    fix: 'Save the data that you need, and run the command again with --delete-data.',
  })
}
