import { parseArgs } from 'node:util'
import { recordMeasurement } from '../support/record-measurement.js'
import { wholeNumber } from '../support/whole-number.js'
import { describeAction } from './action.js'
import type { Broken } from './broken.js'
import { fixedSeeds } from './fixed-seeds.js'
import { useOperatorsDate } from './operators-date.js'
import { canShow, planted } from './planted.js'
import { openProgress } from './progress.js'
import { randomSequence, type Sequence } from './random-sequence.js'
import { runSequence } from './run-sequence.js'
import { setLeaseSpeed } from './seams/clock.js'
import { shrink } from './shrink.js'

const { values } = parseArgs({
  options: {
    /** 10 unless said otherwise, and 200 to find a planted bug or nothing in its place. */
    runs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    /** Certain seeds, in place of `runs` from `seed` on. */
    seeds: { type: 'string' },
    /** `few` or `many` of the seeds that stand in fixed-seeds.ts. */
    fixed: { type: 'string' },
    /** A sequence as JSON, as a failure prints it. */
    sequence: { type: 'string' },
    speed: { type: 'string', default: '300' },
    /** `2/3`: every third seed, beginning with the second; how several processes share the work. */
    part: { type: 'string', default: '1/1' },
    /** A bug to put into ichor; succeeds as soon as it is found. */
    planted: { type: 'string' },
    /** A planted bug: ichor as it is passes the sequences that are run to find it. */
    control: { type: 'string' },
    /** A file with the seeds that have been run, which are left out; every sequence adds its line. */
    resume: { type: 'string' },
    /** Prints their names. */
    'list-planted': { type: 'boolean', default: false },
    /** Writes the result into docs/measurements.md. */
    record: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: true },
    verbose: { type: 'boolean', default: false },
  },
  allowNegative: true,
})

if (values['list-planted']) {
  console.log(Object.keys(planted).join('\n'))
  process.exit(0)
}
const bug = values.planted ?? values.control
const runs = wholeNumber('runs', values.runs ?? (bug === undefined ? '10' : '200'))
const speed = wholeNumber('speed', values.speed)
const slower = 4
/** How fast the time of leases runs: slow enough that a busy computer renews them in time. */
const leaseSpeed = 20
const plant = values.planted === undefined ? undefined : planted[values.planted]
if (bug !== undefined && planted[bug] === undefined) {
  console.error(`There is no planted bug "${bug}"; there are ${Object.keys(planted).join(', ')}.`)
  process.exit(2)
}
useOperatorsDate()
const progress = values.resume === undefined ? undefined : openProgress(values.resume)
let failures = 0
let found = ''
let count = 0
const start = performance.now()
for (const sequence of sequences()) {
  count++
  if (values.planted !== undefined && !canShow(values.planted, sequence)) continue
  const began = performance.now()
  const lines: string[] = []
  const broken = (await judge(sequence, lines, 1)) && (await judge(sequence, lines, slower))
  const took = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${broken === undefined ? 'ok    ' : 'BROKEN'} seed ${sequence.seed} in ${took} s`)
  progress?.note(sequence.seed, broken?.promise)
  if (broken === undefined) continue
  failures++
  found = broken.promise
  report(broken, lines)
  if (plant !== undefined) break
  if (values.shrink && broken.promise !== 'harness') await cutDown(sequence, broken)
}
const seconds = Math.round((performance.now() - start) / 1000)
console.log(`${count} sequences, ${failures} broken, ${seconds} s`)
if (progress !== undefined) console.log(`in all: ${progress.summary()}`)
if (values.record) recordMeasurement(commandLine(), outcome())
process.exit((failures === 0) === (plant === undefined) ? 0 : 1)

/** What is broken on a busy computer may only have been late: it counts when it is broken at a quarter of the speed, too. */
async function judge(sequence: Sequence, lines: string[], slowdown: number): Promise<Broken | undefined> {
  lines.length = 0
  setLeaseSpeed(leaseSpeed / slowdown)
  return runSequence(sequence, {
    speed: speed / slowdown,
    log: values.verbose ? console.log : (text) => lines.push(text),
    ...(plant === undefined ? {} : { through: plant() }),
  })
}

function sequences(): Sequence[] {
  if (values.sequence !== undefined) return [JSON.parse(values.sequence) as Sequence]
  const seeds = chosenSeeds()
  const [part = 1, parts = 1] = values.part.split('/').map(Number)
  return seeds
    .filter((_, index) => index % parts === part - 1)
    .filter((seed) => progress?.isDone(seed) !== true)
    .map(randomSequence)
    .filter((sequence) => values.control === undefined || canShow(values.control, sequence))
}

function commandLine(): string {
  if (values.planted !== undefined) return `npm run chaos -- --planted ${values.planted}`
  if (values.fixed !== undefined) return `npm run chaos -- --fixed ${values.fixed}`
  // Whatever part of it this process has run, the file knows the whole.
  if (progress !== undefined) return `npm run chaos -- --runs ${runs} --seed ${values.seed}`
  const part = values.part === '1/1' ? '' : ` --part ${values.part}`
  if (values.control !== undefined) return `npm run chaos -- --control ${values.control}${part}`
  return `npm run chaos -- --runs ${runs} --seed ${values.seed}${part}`
}

function outcome(): string {
  if (progress !== undefined) return progress.summary()
  if (plant === undefined) return `${count} sequences, ${failures} broken`
  return failures === 0 ? `not found in ${count} sequences` : `found by sequence ${count} (${found})`
}

function chosenSeeds(): readonly number[] {
  if (values.fixed === 'few' || values.fixed === 'many') return fixedSeeds[values.fixed]
  const first = wholeNumber('seed', values.seed)
  return (
    values.seeds?.split(',').map((seed) => wholeNumber('seeds', seed)) ??
    Array.from({ length: runs }, (_, i) => first + i)
  )
}

function report(broken: Broken, lines: readonly string[]): void {
  for (const line of lines) console.log(`  ${line}`)
  console.log(broken.message.replaceAll(/^/gm, '  '))
}

async function cutDown(sequence: Sequence, broken: Broken): Promise<void> {
  console.log(`  again: npm run chaos -- --seed ${sequence.seed} --runs 1 --verbose`)
  const smallest = await shrink(sequence, broken, (candidate) => runSequence(candidate, { speed }))
  console.log(`  smallest: ${smallest.actions.map(describeAction).join('; ')}`)
  console.log(`  npm run chaos -- --verbose --sequence '${JSON.stringify(smallest)}'`)
}
