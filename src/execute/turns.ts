import type { Door } from './ready-queue.js'
import type { Schedulable } from './schedule.js'

/** A turn is held from the first to the last step of a chain. */
export function createTurns(steps: readonly Schedulable[]) {
  const remaining = new Map<string, number>()
  for (const { turn } of steps) if (turn) remaining.set(turn.chain, (remaining.get(turn.chain) ?? 0) + 1)
  const inside = new Map<string, Set<string>>()
  const closed = new Set<string>()
  const chainsIn = (name: string) => inside.get(name) ?? new Set<string>()

  return {
    blockedAt: ({ turn }: Schedulable): Door | undefined => {
      if (turn === undefined || chainsIn(turn.name).has(turn.chain)) return undefined
      const isOpen = !closed.has(turn.name) && chainsIn(turn.name).size < turn.limit
      return isOpen ? undefined : `turn ${turn.name}`
    },
    enter: ({ turn }: Schedulable) => {
      if (turn) inside.set(turn.name, chainsIn(turn.name).add(turn.chain))
    },
    /** Returns the door that becomes free. */
    leave: ({ turn }: Schedulable): Door[] => {
      if (turn === undefined) return []
      const left = (remaining.get(turn.chain) ?? 1) - 1
      remaining.set(turn.chain, left)
      if (left > 0) return []
      chainsIn(turn.name).delete(turn.chain)
      return [`turn ${turn.name}`]
    },
    close: ({ turn }: Schedulable) => {
      if (turn) closed.add(turn.name)
    },
  }
}
