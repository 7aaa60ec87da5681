import type { Desired } from '../desired/desired.js'
import { stepOf } from '../steps/index.js'
import type { StepArgs } from '../steps/step.js'
import type { PlannedStep, Turn } from './plan.js'

/** A round in the making: steps are added in an order in which they could run one after the other. */
export interface Draft {
  readonly desired: Desired
  readonly steps: PlannedStep[]
  /** Adds the step unless it is there already, and gives its id. */
  add(kind: string, args: StepArgs, reason: string, after?: readonly (string | undefined)[], turn?: Turn): string
  has(id: string): boolean
}

export function createDraft(desired: Desired, round: number): Draft {
  const steps: PlannedStep[] = []
  const ids = new Set<string>()
  return {
    desired,
    steps,
    has: (id) => ids.has(id),
    add: (kind, args, reason, after = [], turn) => {
      const id = stepId(kind, args)
      if (ids.has(id)) return id
      ids.add(id)
      const step = stepOf(kind)
      const lane = step.lane?.(args, desired)
      steps.push({
        id,
        round,
        kind,
        args,
        title: step.title(args, desired),
        reason,
        after: [...new Set(after.filter((other) => other !== undefined && ids.has(other)) as string[])],
        ...(lane === undefined ? {} : { lane: lane.name }),
        ...(turn === undefined ? {} : { turn }),
        ...(args.machine === undefined ? {} : { machine: args.machine }),
        changes: step.changes,
        disruptive: step.disruptive,
      })
      return id
    },
  }
}

/** Stable from run to run: what it does and to what. */
function stepId(
  kind: string,
  { machine, image, slot, addon, template, guest, storage, content, host, volume }: StepArgs,
): string {
  const place = volume === undefined ? undefined : host
  return [kind, machine, slot, image, addon, template, guest, storage, content, place, volume]
    .filter((part) => part !== undefined)
    .join(':')
}
