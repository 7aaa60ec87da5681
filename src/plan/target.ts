import type { PlannedStep } from './plan.js'

/** The steps for these machines and all steps that they depend on, in order. */
export function withinTarget(steps: readonly PlannedStep[], machines: ReadonlySet<string>): PlannedStep[] {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const kept = new Set<string>()
  const keep = (id: string) => {
    const step = byId.get(id)
    if (step === undefined || kept.has(id)) return
    kept.add(id)
    for (const before of step.after) keep(before)
  }
  for (const { id, machine } of steps) if (machine !== undefined && machines.has(machine)) keep(id)
  return steps.filter(({ id }) => kept.has(id))
}
