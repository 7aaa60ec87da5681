import { createReadyQueue, type Door } from './ready-queue.js'
import { createTurns } from './turns.js'

/** What the scheduler needs to know about a step. */
export interface Schedulable {
  readonly id: string
  readonly after: readonly string[]
  readonly lanes: readonly { readonly name: string; readonly limit: number }[]
  readonly turn?: { readonly name: string; readonly limit: number; readonly chain: string }
}

/** Decides what may start now: dependencies done, a place in every lane and turn, critical path first. */
export interface Schedule<S extends Schedulable> {
  /** Takes the next step that may start; `undefined` if there is none. */
  take(): S | undefined
  finish(id: string): void
  /** Steps that depend on it never run. If it fails within a turn, no other chain may enter the turn. */
  fail(id: string): void
  readonly isOver: boolean
  /** Steps that neither finished nor failed. */
  left(): S[]
}

/** `onTurn`: called once for each step that waits only for its turn. */
export function createSchedule<S extends Schedulable>(
  steps: readonly S[],
  onTurn: (step: S) => void = () => undefined,
): Schedule<S> {
  const held = new Set<string>()
  const turnOf = (step: S): Door | undefined => {
    const door = turns.blockedAt(step)
    if (door === undefined || held.has(step.id)) return door
    held.add(step.id)
    onTurn(step)
    return door
  }
  const waiting = new Map(steps.map((step) => [step.id, step]))
  const running = new Map<string, S>()
  const needs = createNeeds(steps)
  const lanes = createLanes()
  const turns = createTurns(steps)
  const ready = createReadyQueue<S>({
    isBefore: deepestFirst(steps),
    blockedAt: (step) => lanes.blockedAt(step) ?? turnOf(step),
    groupOf: ({ turn }) => turn?.chain,
  })
  for (const step of steps) if (needs.areMet(step)) ready.add(step)

  return {
    take: () => {
      const next = ready.take()
      if (next === undefined) return undefined
      waiting.delete(next.id)
      running.set(next.id, next)
      lanes.enter(next)
      turns.enter(next)
      return next
    },
    finish: (id) => {
      const step = running.get(id)
      running.delete(id)
      if (step === undefined) return
      for (const door of [...lanes.leave(step), ...turns.leave(step)]) ready.open(door)
      for (const other of needs.finish(id)) ready.add(other)
    },
    fail: (id) => {
      const step = running.get(id)
      running.delete(id)
      if (step === undefined) return
      for (const door of lanes.leave(step)) ready.open(door)
      turns.close(step)
    },
    get isOver() {
      return running.size === 0 && !ready.hasAny()
    },
    left: () => [...waiting.values()],
  }
}

/** The number of unfinished dependencies per step. Dependencies outside these steps are ignored. */
function createNeeds<S extends Schedulable>(steps: readonly S[]) {
  const known = new Set(steps.map(({ id }) => id))
  const needed = new Map<string, number>()
  const waiters = new Map<string, S[]>()
  for (const step of steps) {
    const befores = [...new Set(step.after)].filter((id) => known.has(id))
    needed.set(step.id, befores.length)
    for (const before of befores) {
      const others = waiters.get(before)
      if (others === undefined) waiters.set(before, [step])
      else others.push(step)
    }
  }
  return {
    areMet: ({ id }: S) => needed.get(id) === 0,
    /** Returns the steps that are now unblocked. */
    finish: (id: string): S[] =>
      (waiters.get(id) ?? []).filter((step) => {
        const left = (needed.get(step.id) ?? 1) - 1
        needed.set(step.id, left)
        return left === 0
      }),
  }
}

/** The number of steps in each lane; a lane has one limit. */
function createLanes() {
  const inside = new Map<string, number>()
  const countIn = (name: string) => inside.get(name) ?? 0
  return {
    blockedAt: ({ lanes }: Schedulable): Door | undefined => {
      const full = lanes.find(({ name, limit }) => countIn(name) >= limit)
      return full === undefined ? undefined : `lane ${full.name}`
    },
    enter: ({ lanes }: Schedulable) => {
      for (const { name } of lanes) inside.set(name, countIn(name) + 1)
    },
    /** Returns the doors that become free. */
    leave: ({ lanes }: Schedulable): Door[] => {
      for (const { name } of lanes) inside.set(name, countIn(name) - 1)
      return lanes.map(({ name }) => `lane ${name}`)
    },
  }
}

/** The step with the longest chain behind it; among equals the one planned earlier. */
function deepestFirst(steps: readonly Schedulable[]): (one: Schedulable, other: Schedulable) => boolean {
  const depths = pathLengths(steps)
  const places = new Map(steps.map(({ id }, index) => [id, index]))
  const depthOf = ({ id }: Schedulable) => depths.get(id) ?? 0
  const placeOf = ({ id }: Schedulable) => places.get(id) ?? 0
  return (one, other) => (depthOf(one) - depthOf(other) || placeOf(other) - placeOf(one)) > 0
}

/** The length of the longest chain behind each step. */
function pathLengths(steps: readonly Schedulable[]): Map<string, number> {
  const lengths = new Map<string, number>()
  for (const step of [...steps].reverse()) {
    const own = lengths.get(step.id) ?? 1
    lengths.set(step.id, own)
    for (const before of step.after) lengths.set(before, Math.max(lengths.get(before) ?? 1, own + 1))
  }
  return lengths
}
