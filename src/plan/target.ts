import type { PlannedStep } from './plan.js'

/** The steps for these machines and addons, and all steps that they depend on, in order. */
export function withinTarget(
  steps: readonly PlannedStep[],
  machines: ReadonlySet<string>,
  addons: ReadonlySet<string> = new Set(),
): PlannedStep[] {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const kept = new Set<string>()
  const keep = (id: string) => {
    const step = byId.get(id)
    if (step === undefined || kept.has(id)) return
    kept.add(id)
    for (const before of step.after) keep(before)
  }
  for (const { id, machine = '', args } of steps)
    if (machines.has(machine) || (typeof args.addon === 'string' && addons.has(args.addon))) keep(id)
  return steps.filter(({ id }) => kept.has(id))
}
