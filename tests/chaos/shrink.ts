import type { Action, Run } from './action.js'
import type { Broken } from './broken.js'
import type { Sequence } from './random-sequence.js'

const longestMs = 300_000

/** The smallest sequence that still breaks the same promise, as far as the time for looking allows. */
export async function shrink(
  sequence: Sequence,
  { promise }: Broken,
  run: (sequence: Sequence) => Promise<Broken | undefined>,
): Promise<Sequence> {
  const until = performance.now() + longestMs
  let smallest = sequence
  let isSmaller = true
  while (isSmaller) {
    isSmaller = false
    for (const candidate of smallerThan(smallest)) {
      if (performance.now() > until) return smallest
      const broken = await run(candidate)
      if (broken?.promise !== promise) continue
      smallest = candidate
      isSmaller = true
      break
    }
  }
  return smallest
}

/** Halves first, then single actions, then what happens during a run, then the inventory. */
function smallerThan(sequence: Sequence): Sequence[] {
  const { actions, shape, endsWithDestroy } = sequence
  const half = Math.ceil(actions.length / 2)
  const fewer = [
    ...(actions.length > 3 ? [actions.slice(half), actions.slice(0, half)] : []),
    ...actions.map((_, index) => actions.filter((_other, at) => at !== index)),
    ...actions.flatMap((action, index) =>
      simpler(action).map((one) => actions.map((other, at) => (at === index ? one : other))),
    ),
  ]
  return [
    ...fewer.map((kept) => ({ ...sequence, actions: kept })),
    ...(endsWithDestroy ? [{ ...sequence, endsWithDestroy: false }] : []),
    ...simplerShapes(shape).map((simple) => ({ ...sequence, shape: simple })),
  ]
}

function simpler(action: Action): Action[] {
  if (action.do !== 'run') return []
  const { faults = [], end: _end, meanwhile: _meanwhile, ...plain } = action
  const without: Run[] = [
    ...faults.map((_, index) => ({ ...action, faults: faults.filter((_other, at) => at !== index) })),
    ...(action.end === undefined ? [] : [omit(action, 'end')]),
    ...(action.meanwhile === undefined ? [] : [omit(action, 'meanwhile')]),
  ]
  return faults.length + without.length === 0 ? [] : [plain, ...without.map(withoutEmptyFaults)].filter(isOther(action))
}

function omit(run: Run, key: 'end' | 'meanwhile'): Run {
  const { [key]: _, ...rest } = run
  return rest
}

function withoutEmptyFaults(run: Run): Run {
  if (run.faults === undefined || run.faults.length > 0) return run
  const { faults: _, ...rest } = run
  return rest
}

const isOther = (action: Action) => (other: Action) => JSON.stringify(action) !== JSON.stringify(other)

function simplerShapes(shape: Sequence['shape']): Sequence['shape'][] {
  const { pool, dataDisk, delivery, ...rest } = shape
  const given = {
    ...(pool === undefined ? {} : { pool }),
    ...(dataDisk === undefined ? {} : { dataDisk }),
    ...(delivery === undefined ? {} : { delivery }),
  }
  const simple = { ...rest, boot: 'image', network: 'static', addons: [], hosts: 1 } as const
  const candidates: Sequence['shape'][] = [
    simple,
    ...Object.keys(given).map((key) => ({ ...rest, ...given, [key]: undefined })),
    { ...shape, addons: [] },
    { ...shape, workers: 0 },
    { ...shape, controlPlanes: 1 },
    { ...shape, hosts: 1 },
    { ...shape, boot: 'image' },
  ]
  return candidates.filter((candidate) => JSON.stringify(candidate) !== JSON.stringify(shape))
}
