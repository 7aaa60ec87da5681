import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import { createDraft } from '../plan/draft.js'
import type { PlannedStep } from '../plan/plan.js'
import { planShutdown } from '../plan/plan-shutdown.js'
import { refuseAnotherPool, refuseWithoutSecrets } from '../plan/refusals.js'

/** Everything that is proven to be ours goes off. Only what could not be undone is refused. */
export function planShutdownRound(desired: Desired, observed: Observed, round: number): readonly PlannedStep[] {
  refuseWithoutSecrets(desired, observed)
  refuseAnotherPool(desired, observed)
  const draft = createDraft(desired, observed, round)
  planShutdown(draft, observed)
  return draft.steps
}
