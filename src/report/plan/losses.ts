import type { PlannedStep } from '../../plan/plan.js'

/** What is gone for good after a step, in words. */
export function lossesOf({ losesData }: PlannedStep): string[] {
  return losesData === undefined ? [] : [losesData]
}
