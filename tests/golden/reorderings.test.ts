import { expect, test } from 'vitest'
import { caseNames, readAnswer, readCase } from './corpus.js'
import { type Patch, patchedPlanner } from './patched-planner.js'
import { planCase } from './plan-case.js'
import { reorderings } from './reorderings.js'
import { structureOf } from './structure.js'
import { textsOf } from './texts.js'

/** Each takes as long as all cases together. */
const planted = test.runIf(process.env.ICHOR_GOLDEN_REORDERINGS !== undefined)
const patient = { timeout: 900_000 }

planted.each(reorderings.map((one) => [one.name, one.patches] as const))('%s', patient, async (_name, patches) => {
  const red = await redCases(patches)
  console.log(`${red.structure} cases have another structure, ${red.texts} more other texts`)
  expect(red.structure + red.texts).toBeGreaterThan(0)
})

planted('a copy without a mistake turns none red', patient, async () => {
  const red = await redCases([['rounds/plan-round.ts', (text) => `// A copy.\n${text}`]])
  expect(red).toEqual({ structure: 0, texts: 0 })
})

async function redCases(patches: readonly Patch[]): Promise<{ structure: number; texts: number }> {
  const planner = await patchedPlanner(patches)
  const red = { structure: 0, texts: 0 }
  for (const name of caseNames) {
    const outcome = await planCase(readCase(name), planner).catch(() => undefined)
    if (outcome === undefined || structureOf(outcome) !== readAnswer('structure', name)) red.structure++
    else if (textsOf(outcome) !== readAnswer('texts', name)) red.texts++
  }
  return red
}
