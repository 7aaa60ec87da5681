import { expect, test } from 'vitest'
import { stepKinds } from '../../src/capabilities/steps.js'
import { goalNameOf, notBlocking } from './blocking.js'
import { caseNames, fileOf, namesIn, readAnswer, readCase, writeAnswer } from './corpus.js'
import { differencesBetween } from './differences.js'
import { planCase } from './plan-case.js'
import { placesOf, refusals } from './refusals.js'
import { configPathsIn } from './rows.js'
import { structureOf } from './structure.js'
import { textsOf } from './texts.js'

/** Texts are written again by `-u`, structure never is by accident. */
const writesStructure = process.env.ICHOR_GOLDEN_STRUCTURE === 'write'
const refusedAt = new Set<string>()

test('there are at least 200 cases, and no answer without one', () => {
  expect(caseNames.length).toBeGreaterThanOrEqual(200)
  expect(namesIn('structure')).toEqual(caseNames)
  expect(namesIn('texts')).toEqual(caseNames)
})

/** Cures are planned from findings, which a case does not have: `src/operations/cures.test.ts`. */
const onlyCures = new Set(['defragment-etcd', 'disarm-etcd'])

test('every kind of step is planned in a case', () => {
  const planned = new Set(caseNames.flatMap((name) => readAnswer('structure', name).match(/^[a-z]+(-[a-z]+)+/gm) ?? []))
  const kinds = stepKinds.map(({ kind }) => kind).filter((kind) => !onlyCures.has(kind))
  expect(kinds.filter((kind) => !planned.has(kind))).toEqual([])
})

test.each(caseNames)('%s', async (name) => {
  const golden = readCase(name)
  const outcome = await planCase(golden)
  if (outcome.refused !== undefined) for (const place of placesOf(outcome.refused)) refusedAt.add(place)
  const structure = structureOf(outcome)
  if (writesStructure) writeAnswer('structure', name, structure)
  expect.soft(configPathsIn(outcome), 'fields of a config in the rows').toEqual([])
  expect.soft(notBlocking(outcome.refused, goalNameOf(golden)), 'findings that do not block this goal').toEqual([])
  expect.soft(differencesBetween(readAnswer('structure', name), structure), `structure of ${name}`).toBe('')
  await expect.soft(textsOf(outcome)).toMatchFileSnapshot(fileOf.texts(name))
})

test('every refusal of the planner is the answer to a case', () => {
  expect(refusals().filter((place) => !refusedAt.has(place))).toEqual([])
})
