import { forEveryCall } from './disturbed-runs.js'
import { fromStanding, type Standing } from './firewall-stories.js'
import { mutatingCalls, type Stage } from './lab.js'
import { oneIn } from './sample.js'

/** How many calls an `up` of that cluster with this inventory makes. */
export async function callsOfUp(standing: Standing, inventory: string): Promise<number> {
  return fromStanding(standing, inventory, async (stage) => {
    const before = mutatingCalls(stage.lab).length
    await stage.up().catch(() => undefined)
    return mutatingCalls(stage.lab).length - before
  })
}

/** The same until the last call about this, and the few that prove what it did. */
export async function callsUntil(standing: Standing, inventory: string, about: RegExp): Promise<number> {
  return fromStanding(standing, inventory, async (stage) => {
    const before = mutatingCalls(stage.lab).length
    await stage.up().catch(() => undefined)
    const calls = mutatingCalls(stage.lab).slice(before)
    return calls.findLastIndex((call) => about.test(call)) + 1 + 8
  })
}

export interface KilledUp {
  readonly from: Standing
  readonly inventory: string
  readonly calls: number
  /** Kills, unless all are asked for. */
  readonly most: number
}

/** `up` is killed at its calls, and the story goes on from there; gives what went wrong. */
export async function killedAtCalls(
  { from, inventory, calls, most }: KilledUp,
  story: (stage: Stage) => Promise<unknown>,
): Promise<string[]> {
  const kill = (nth: number) =>
    fromStanding(from, inventory, async (stage) => {
      stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
      await stage.up().catch(() => undefined)
      stage.lab.faults.clear()
      await story(stage)
    })
  // Labs that go on from the same one want the same port for their factory, which stands in the configs of the machines.
  return forEveryCall(calls, kill, { sideBySide: 1, oneIn: oneIn(Math.ceil(calls / most)) })
}

/** How the next `up` ends: its outcome, or why it failed. */
export async function nextUp(stage: Stage): Promise<string> {
  return stage.up({ forceUnlock: true }).then(
    ({ outcome }) => outcome,
    (thrown: Error) => thrown.message,
  )
}
