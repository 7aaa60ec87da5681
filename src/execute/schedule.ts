/** What the scheduler must know of a step. */
export interface Schedulable {
  readonly id: string
  readonly after: readonly string[]
  readonly lanes: readonly { readonly name: string; readonly limit: number }[]
  readonly turn?: { readonly name: string; readonly limit: number; readonly chain: string }
}

/** Decides what may start now: all needs met, a place in every lane and turn, nearest to the critical path first. */
export interface Schedule<S extends Schedulable> {
  /** Takes the next step that may start; `undefined` when none may. */
  take(): S | undefined
  finish(id: string): void
  /** Steps that need it will never run; a turn that it fails in is closed to chains that have not entered. */
  fail(id: string): void
  readonly isOver: boolean
  /** What was neither finished nor failed. */
  left(): S[]
}

export function createSchedule<S extends Schedulable>(steps: readonly S[]): Schedule<S> {
  const waiting = new Map(steps.map((step) => [step.id, step]))
  const running = new Map<string, S>()
  const finished = new Set<string>()
  const depth = pathLengths(steps)
  const turns = createTurns(steps)

  const mayStart = (step: S) =>
    step.after.every((id) => finished.has(id) || (!waiting.has(id) && !running.has(id) && !isKnown(id))) &&
    step.lanes.every(({ name, limit }) => countInLane(running, name) < limit) &&
    turns.mayEnter(step)
  const known = new Set(steps.map(({ id }) => id))
  const isKnown = (id: string) => known.has(id)

  return {
    take: () => {
      const ready = [...waiting.values()].filter(mayStart)
      const next = ready.sort((one, other) => (depth.get(other.id) ?? 0) - (depth.get(one.id) ?? 0))[0]
      if (next === undefined) return undefined
      waiting.delete(next.id)
      running.set(next.id, next)
      turns.enter(next)
      return next
    },
    finish: (id) => {
      const step = running.get(id)
      running.delete(id)
      finished.add(id)
      if (step !== undefined) turns.leave(step)
    },
    fail: (id) => {
      const step = running.get(id)
      running.delete(id)
      if (step !== undefined) turns.close(step)
    },
    get isOver() {
      return running.size === 0 && ![...waiting.values()].some(mayStart)
    },
    left: () => [...waiting.values()],
  }
}

function countInLane(running: ReadonlyMap<string, Schedulable>, lane: string): number {
  let count = 0
  for (const step of running.values()) if (step.lanes.some(({ name }) => name === lane)) count++
  return count
}

/** A turn is held from the first to the last step of a chain. */
function createTurns(steps: readonly Schedulable[]) {
  const remaining = new Map<string, number>()
  for (const { turn } of steps) if (turn) remaining.set(turn.chain, (remaining.get(turn.chain) ?? 0) + 1)
  const inside = new Map<string, Set<string>>()
  const closed = new Set<string>()
  const chainsIn = (name: string) => inside.get(name) ?? new Set<string>()

  return {
    mayEnter: ({ turn }: Schedulable) =>
      turn === undefined ||
      chainsIn(turn.name).has(turn.chain) ||
      (!closed.has(turn.name) && chainsIn(turn.name).size < turn.limit),
    enter: ({ turn }: Schedulable) => {
      if (turn) inside.set(turn.name, chainsIn(turn.name).add(turn.chain))
    },
    leave: ({ turn }: Schedulable) => {
      if (turn === undefined) return
      const left = (remaining.get(turn.chain) ?? 1) - 1
      remaining.set(turn.chain, left)
      if (left === 0) chainsIn(turn.name).delete(turn.chain)
    },
    close: ({ turn }: Schedulable) => {
      if (turn) closed.add(turn.name)
    },
  }
}

/** How long the longest chain is that hangs on each step. */
function pathLengths(steps: readonly Schedulable[]): Map<string, number> {
  const lengths = new Map<string, number>()
  for (const step of [...steps].reverse()) {
    const own = lengths.get(step.id) ?? 1
    lengths.set(step.id, own)
    for (const before of step.after) lengths.set(before, Math.max(lengths.get(before) ?? 1, own + 1))
  }
  return lengths
}
