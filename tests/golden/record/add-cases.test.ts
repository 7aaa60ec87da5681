import { expect, test } from 'vitest'
import { caseNames, readCase, readEncoded, writeAnswer, writeCases } from '../corpus.js'
import { decode } from '../encode.js'
import type { GoldenCase } from '../golden-case.js'
import { repeatedIn } from '../parts.js'
import { planCase } from '../plan-case.js'
import { structureOf } from '../structure.js'
import { textsOf } from '../texts.js'
import { type Candidate, candidatesIn } from './candidates.js'
import { featuresOf } from './features.js'

const { ICHOR_GOLDEN_FROM: folder, ICHOR_GOLDEN_MOST: most = '10' } = process.env

interface Rated extends Candidate {
  readonly features: ReadonlySet<string>
  readonly structure: string
  readonly texts: string
  /** Milliseconds of the processor. */
  readonly cost: number
}

/** Keeps, of what was recorded, the cases that show most of what no other shows yet. */
test.runIf(folder !== undefined)('cases are added for what no case shows yet', async () => {
  const shown = new Set<string>()
  for (const name of caseNames) {
    const golden = readCase(name)
    for (const feature of featuresOf(golden, await planCase(golden))) shown.add(feature)
  }
  const left: Rated[] = []
  for (const candidate of candidatesIn(folder ?? '')) left.push(...(await rate(candidate)))
  const chosen = choose(left, shown, Number(most))
  const kept = new Map(caseNames.map((name) => [name, readEncoded(name)]))
  for (const { name, encoded, structure, texts } of chosen) {
    const free = freeName(name, kept)
    kept.set(free, encoded)
    writeAnswer('structure', free, structure)
    writeAnswer('texts', free, texts)
    console.log(`added ${free}`)
  }
  const repeated = repeatedIn([...kept.values()])
  writeCases(kept, (part) => repeated.has(part))
  expect(chosen.length).toBeGreaterThan(0)
})

async function rate(candidate: Candidate): Promise<Rated[]> {
  try {
    const golden = decode(candidate.encoded) as GoldenCase
    const started = process.cpuUsage().user
    const outcome = await planCase(golden)
    const cost = (process.cpuUsage().user - started) / 1000
    const features = featuresOf(golden, outcome)
    return [{ ...candidate, features, cost, structure: structureOf(outcome), texts: textsOf(outcome) }]
  } catch (thrown) {
    console.log(`left out ${candidate.name}: ${thrown}`)
    return []
  }
}

/** Cases that show much and cost little come first. */
function choose(candidates: readonly Rated[], known: ReadonlySet<string>, limit: number): Rated[] {
  const shown = new Set(known)
  const chosen: Rated[] = []
  let left = [...candidates]
  while (chosen.length < limit) {
    const worth = (one: Rated) =>
      [...one.features].filter((feature) => !shown.has(feature)).reduce((sum, feature) => sum + weightOf(feature), 0)
    const rated = left.map((one) => ({ one, worth: worth(one) })).filter((each) => each.worth > 0)
    const value = ({ one, worth }: (typeof rated)[number]) => worth / (10 + one.cost)
    const best = rated.reduce<(typeof rated)[number] | undefined>(
      (before, each) => (before === undefined || value(each) > value(before) ? each : before),
      undefined,
    )
    if (best === undefined) break
    chosen.push(best.one)
    for (const feature of best.one.features) shown.add(feature)
    left = rated.map((each) => each.one).filter((one) => one !== best.one)
  }
  return chosen
}

/** Every kind of step and every refusal has a case. */
function weightOf(feature: string): number {
  return /^(kind|refusal) /.test(feature) ? 100 : 1
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name}-${number}`)) number++
  return `${name}-${number}`
}
