import { canonicalJson } from '../cluster/canonical.js'
import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import { type Step, type StepKind, stepId } from '../steps/step.js'
import type { StepInputs } from '../work/step-inputs.js'
import type { PlannedStep, Turn } from './plan.js'
import type { Reason } from './reason.js'

declare const isRef: unique symbol

/** A step of this round. Only `add` and `ref` create one, so that a dependency cannot be misspelt. */
export type StepRef = string & { readonly [isRef]: true }

type After = readonly (StepRef | undefined)[]

/** A round being planned. Steps are added in an order in which they could run one by one. */
export interface Draft {
  readonly desired: Desired
  readonly observed: Observed
  readonly steps: readonly PlannedStep[]
  /** Adds the step. If it already exists, it also waits for these steps and moves behind them. */
  add<A extends object>(step: Step<A>, args: NoInfer<A>, reason: string | Reason, after?: After, turn?: Turn): StepRef
  /** The step of this round whose arguments include these; throws if there is none. */
  ref<A extends object>(step: Step<A>, args: Partial<NoInfer<A>>): StepRef
  /** Like `ref`, for a step that may not be part of this round. */
  refIfPlanned<A extends object>(step: Step<A>, args: Partial<NoInfer<A>>): StepRef | undefined
  /** All steps of that kind. */
  refs(step: StepKind): StepRef[]
  /** Steps that no other step depends on. */
  ends(): StepRef[]
}

/** More dependencies may still be added. */
type DraftedStep = Omit<PlannedStep, 'id' | 'after' | 'turn'> & { id: StepRef; after: readonly StepRef[]; turn?: Turn }

export function createDraft(desired: Desired, observed: Observed, round: number): Draft {
  const steps: DraftedStep[] = []
  const byId = new Map<string, DraftedStep>()
  const positions = new Map<string, number>()
  let last = 0
  const byKind = new Map<string, DraftedStep[]>()

  const find = (kind: string, args: object): StepRef | undefined => {
    const machine = 'machine' in args && typeof args.machine === 'string' ? args.machine : undefined
    const known = byKind.get(placeOf(kind, machine)) ?? []
    const wanted = Object.entries(args)
    const step = known.findLast((one) =>
      wanted.every(([key, value]) => canonicalJson(one.args[key]) === canonicalJson(value)),
    )
    return step?.id
  }

  const positionOf = (id: string) => positions.get(id) ?? 0
  const moveToTheEnd = (moved: readonly DraftedStep[]) => {
    const rest = steps.filter((step) => !moved.includes(step))
    steps.splice(0, steps.length, ...rest, ...moved)
    for (const { id } of moved) positions.set(id, ++last)
  }

  const extend = (known: DraftedStep, after: readonly StepRef[], turn: Turn | undefined): void => {
    if (turn !== undefined) known.turn ??= turn
    const added = after.filter((other) => !known.after.includes(other))
    known.after = [...known.after, ...added]
    const later = added.filter((other) => positionOf(other) >= positionOf(known.id))
    if (later.length === 0) return
    const moved = withDependents(known, steps)
    const cyclic = later.find((other) => moved.some(({ id }) => id === other))
    if (cyclic !== undefined) throw new Error(`${known.id} cannot wait for ${cyclic}, which waits for it`)
    moveToTheEnd(moved)
  }

  const remember = (step: DraftedStep): StepRef => {
    steps.push(step)
    byId.set(step.id, step)
    positions.set(step.id, ++last)
    for (const place of new Set([placeOf(step.kind, step.machine), placeOf(step.kind, undefined)])) {
      const there = byKind.get(place)
      if (there === undefined) byKind.set(place, [step])
      else there.push(step)
    }
    return step.id
  }

  return {
    desired,
    observed,
    steps,
    add: (step, args, reason, after = [], turn) => {
      const bound = step.bind(args)
      const id = stepId(bound.kind, bound.args) as StepRef
      const awaited = [...new Set(after.filter((other) => other !== undefined))]
      const known = byId.get(id)
      if (known !== undefined) {
        extend(known, awaited, turn)
        return known.id
      }
      const lane = bound.lane(desired, observed)
      const inputs = bound.inputs(desired, observed)
      return remember({
        id,
        round,
        kind: bound.kind,
        args: bound.args,
        title: bound.title(desired),
        ...(typeof reason === 'string' ? { reason, values: [] } : reasonFields(reason)),
        after: awaited,
        ...(lane === undefined ? {} : { lane: lane.name, laneLimit: lane.limit }),
        ...(turn === undefined ? {} : { turn }),
        ...(bound.machine === undefined ? {} : { machine: bound.machine }),
        ...bound.traits,
        loses: bound.loses(observed),
        pending: inputs?.pending ?? [],
        digest: (digester, without = []) => (inputs === undefined ? null : digester(knownInputs(inputs, without))),
      })
    },
    ref: (step, args) => {
      const found = find(step.kind, args)
      if (found === undefined) throw new Error(`no step ${stepId(step.kind, args)} is planned in this round`)
      return found
    },
    refIfPlanned: (step, args) => find(step.kind, args),
    ends: () => {
      const awaited = new Set(steps.flatMap(({ after }) => after))
      return steps.flatMap(({ id }) => (awaited.has(id) ? [] : [id]))
    },
    refs: ({ kind }) => (byKind.get(placeOf(kind, undefined)) ?? []).map(({ id }) => id),
  }
}

/** The step and everything that depends on it, in the order of the round. */
function withDependents(step: DraftedStep, steps: readonly DraftedStep[]): DraftedStep[] {
  const found = new Set([step.id])
  return steps.filter(({ id, after }) => {
    if (after.some((other) => found.has(other))) found.add(id)
    return found.has(id)
  })
}

function placeOf(kind: string, machine: string | undefined): string {
  return `${kind} ${machine ?? ''}`
}

function knownInputs({ known }: StepInputs, without: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(known()).filter(([name]) => !without.includes(name)))
}

function reasonFields({ text, values, sentences }: Reason): Pick<PlannedStep, 'reason' | 'values' | 'sentences'> {
  return { reason: text, values, ...(sentences === undefined ? {} : { sentences }) }
}
