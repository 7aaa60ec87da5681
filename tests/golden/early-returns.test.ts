import { expect, test } from 'vitest'
import { caseNames, readAnswer, readCase } from './corpus.js'
import { patchedPlanner } from './patched-planner.js'
import { planCase } from './plan-case.js'

const reached = new Set<number>()
/** Called by the copy of the planner. */
Object.assign(globalThis, { reachReturn: (place: number) => reached.add(place) })

test('every place where a round ends is reached by a case', async () => {
  const returns: string[] = []
  const planner = await patchedPlanner([
    [
      'rounds/plan-round.ts',
      (text) =>
        text.replaceAll(/ends: true\b/g, (_, at: number) => {
          returns.push(`line ${text.slice(0, at).split('\n').length}`)
          return `get ends() { reachReturn(${returns.length - 1}); return true as const }`
        }),
    ],
  ])
  // Those with few steps are planned fastest.
  const shortestFirst = caseNames.toSorted((one, other) => length(one) - length(other))
  for (const name of shortestFirst) {
    if (reached.size === returns.length) break
    await planCase(readCase(name), planner)
  }
  expect(returns.filter((_, place) => !reached.has(place))).toEqual([])
})

function length(name: string): number {
  return readAnswer('structure', name).length
}
