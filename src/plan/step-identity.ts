import type { Digester } from './digest.js'
import type { PlannedStep } from './plan.js'

/** What the user agreed to: the step, what it writes as far as known, and what it loses. */
export interface StepIdentity {
  readonly id: string
  readonly digest: string | null
  readonly pending: readonly string[]
  readonly loses: readonly string[]
}

export function identityOf(step: PlannedStep, digester: Digester): StepIdentity {
  return { id: step.id, digest: step.digest(digester), pending: step.pending, loses: step.loses }
}

/** Whether a step matches a known one: it does the same, writes the same and loses no more. */
export function sameStep(known: StepIdentity, step: PlannedStep, digester: Digester): boolean {
  return (
    known.id === step.id &&
    known.digest === step.digest(digester, known.pending) &&
    step.loses.every((loss) => known.loses.includes(loss))
  )
}

/** Whether two rounds have the same steps, so that running them again would change nothing. */
export function sameSteps(before: readonly PlannedStep[], now: readonly PlannedStep[], digester: Digester): boolean {
  if (before.length !== now.length) return false
  const known = new Map(before.map((step) => [step.id, step]))
  return now.every((step) => {
    const other = known.get(step.id)
    return other !== undefined && sameStep(identityOf(other, digester), step, digester)
  })
}
