import { beforeEach, expect, test } from 'vitest'
import { aContext, aDesired } from '../../tests/support/contexts.js'
import { aStep } from '../../tests/support/steps.js'
import { aStub } from '../../tests/support/stub.js'
import { createClock } from '../clock.js'
import { Cancelled, PlanRefused } from '../errors.js'
import type { NewEvent } from '../events/event.js'
import { type BoundStep, defineStep, noArgs, type StepDefinition } from '../steps/step.js'
import type { World } from '../world.js'
import { execute } from './execute.js'

/** Steps by kind, with the behaviour each test needs. */
const kinds = new Map<string, BoundStep>()
const desired = await aDesired()

let calls: string[]
let events: NewEvent[]
let changed: number
let stop: AbortController
beforeEach(() => {
  kinds.clear()
  calls = []
  events = []
  changed = 0
  stop = new AbortController()
})

type NoArgs = StepDefinition<Record<string, never>>
type Behaviour = Partial<Pick<NoArgs, 'guard' | 'run' | 'changes' | 'trial'>> & { readonly done?: readonly boolean[] }

/** A step that records its calls; `done` lists its results one by one, and the last one repeats. */
function define(kind: string, { done = [false], guard, run, changes = true, trial }: Behaviour): void {
  let asked = 0
  const step = defineStep({
    kind,
    args: noArgs,
    title: () => kind,
    changes,
    disruptive: false,
    done: async () => {
      calls.push(`${kind} done?`)
      return done[Math.min(asked++, done.length - 1)] ?? false
    },
    guard: async (args, context) => {
      calls.push(`${kind} guard`)
      await guard?.(args, context)
    },
    run: async (args, context) => {
      calls.push(`${kind} run`)
      await run?.(args, context)
    },
    ...(trial === undefined ? {} : { trial }),
    effect: () => undefined,
  })
  kinds.set(kind, step.bind({}))
}

function stepOf(kind: string): BoundStep {
  const step = kinds.get(kind)
  if (step === undefined) throw new Error(`there is no step ${kind}`)
  return step
}

function carryOut(...steps: readonly { kind: string; after?: string[]; changes?: boolean }[]): Promise<unknown> {
  return execute(
    steps.map(({ kind, ...change }) => aStep(kind, change)),
    {
      ...aContext({ desired, signal: stop.signal }),
      world: aStub<World>({ clock: createClock(1000) }),
      stepOf,
      emit: (event) => events.push(event),
      onChange: () => changed++,
      steps: { before: 0, total: steps.length },
    },
  )
}

const failing = (error: Error, times = 100) => {
  let left = times
  return async () => {
    if (left-- > 0) throw error
  }
}
const transient = Object.assign(new Error('a storm'), { isTransient: true })
const apiAway = Object.assign(new Error('nothing listens on that port'), { isApiAway: true })
const changedUnderUs = Object.assign(new Error('the digest differs'), { kind: 'changed' })
const movedAway = Object.assign(new Error('there is no such VM on that host'), { kind: 'no-vm' })
const refusal = new PlanRefused('No.', { where: 'here', fix: 'There is none.', findings: [] })
const whole = ['a done?', 'a guard', 'a run']

test.each<{ story: string; a: Behaviour; expected: string[]; fails?: RegExp }>([
  { story: 'what is done already is neither guarded nor run', a: { done: [true] }, expected: ['a done?'] },
  { story: 'what is to be done is guarded right before it runs', a: {}, expected: whole },
  {
    story: 'what its guard refuses does not run, and is not tried again',
    a: { guard: failing(refusal) },
    expected: ['a done?', 'a guard'],
    fails: /^No\.$/,
  },
  {
    story: 'what failed and is done all the same has not failed',
    a: { done: [false, true], run: failing(new Error('the worker said no')) },
    expected: [...whole, 'a done?'],
  },
  {
    story: 'what failed for good is asked once more and reported',
    a: { run: failing(new Error('the worker said no')) },
    expected: [...whole, 'a done?'],
    fails: /a: the worker said no/,
  },
  {
    story: 'what passes is tried again, and asked and guarded again each time',
    a: { run: failing(transient, 1) },
    expected: [...whole, 'a done?', ...whole],
  },
  {
    story: 'a configuration that changed under us is read again',
    a: { run: failing(changedUnderUs, 1) },
    expected: [...whole, 'a done?', ...whole],
  },
  {
    story: 'a VM that moved to another host meanwhile is looked for again',
    a: { run: failing(movedAway, 1) },
    expected: [...whole, 'a done?', ...whole],
  },
  {
    story: 'four times is enough',
    a: { run: failing(transient) },
    expected: Array.from({ length: 4 }, () => [...whole, 'a done?']).flat(),
    fails: /a: a storm/,
  },
  {
    story: 'a Kubernetes API that is away is waited for longer than that',
    a: { run: failing(apiAway, 5) },
    expected: [...Array.from({ length: 5 }, () => [...whole, 'a done?']).flat(), ...whole],
  },
])('$story', async ({ a, expected, fails }) => {
  define('a', a)
  const run = carryOut({ kind: 'a' })
  if (fails === undefined) await run
  else await expect(run).rejects.toThrow(fails)
  expect(calls).toEqual(expected)
  expect(changed).toBe(fails === undefined && expected.length > 1 ? 1 : 0)
  expect(events.filter(({ type }) => type === 'step.finished')).toHaveLength(fails === undefined ? 1 : 0)
})

test('a step gives up after three minutes without the Kubernetes API, and reports once what it waits for', async () => {
  define('a', { run: failing(apiAway, 1000) })
  await expect(carryOut({ kind: 'a' })).rejects.toThrow(/a: nothing listens on that port/)
  const runs = calls.filter((call) => call === 'a run').length
  expect(runs).toBeGreaterThanOrEqual(6)
  expect(runs).toBeLessThanOrEqual(38)
  expect(events.flatMap((event) => (event.type === 'step.waiting' ? [event.for] : []))).toEqual([
    'the Kubernetes API, which does not answer',
  ])
})

test('after a failure unrelated steps go on, and a refusal is reported before any failure', async () => {
  define('a', { run: failing(new Error('no')) })
  define('after a', {})
  define('b', { guard: failing(refusal) })
  define('c', {})
  define('after c', {})
  const run = carryOut(
    { kind: 'a' },
    { kind: 'after a', after: ['a'] },
    { kind: 'b' },
    { kind: 'c' },
    { kind: 'after c', after: ['c'] },
  )
  await expect(run).rejects.toBe(refusal)
  expect(calls.filter((call) => call.endsWith('run'))).toEqual(['a run', 'c run', 'after c run'])
})

test('a stopped run starts nothing new, lets a change finish its call and ends a wait at once', async () => {
  const aborted: Record<string, boolean> = {}
  const look =
    (kind: string): NoArgs['run'] =>
    async (_args, { signal }) => {
      stop.abort(new Error('Ctrl-C'))
      aborted[kind] = signal.aborted
    }
  define('change', { run: look('change') })
  define('wait', { run: look('wait'), changes: false })
  define('next', {})
  const run = carryOut({ kind: 'change' }, { kind: 'wait', changes: false }, { kind: 'next', after: ['change'] })
  await expect(run).rejects.toThrow('Stopped. 2 of 3 steps are done, 1 are left.')
  await expect(run).rejects.toBeInstanceOf(Cancelled)
  expect(aborted).toEqual({ change: false, wait: true })
  expect(calls).not.toContain('next run')
})

test('durations are measured with the clock of the world, which in a lab differs from that of this computer', async () => {
  let now = 0
  const clock = { ...createClock(1000), monotonic: () => now }
  define('slow', {
    run: async () => {
      now += 14_000
    },
  })
  await execute([aStep('slow')], {
    ...aContext({ desired, signal: stop.signal }),
    world: aStub<World>({ clock }),
    stepOf,
    emit: (event) => events.push(event),
    onChange: () => changed++,
    steps: { before: 0, total: 1 },
  })
  expect(events).toContainEqual(expect.objectContaining({ type: 'step.finished', ms: 14_000 }))
})

/** A trial that records how it ends. */
function aTrial(change: Partial<NonNullable<NoArgs['trial']>>): NonNullable<NoArgs['trial']> {
  const noted = async (call: string) => void calls.push(call)
  return {
    prove: async (...about) => {
      await noted('prove')
      await change.prove?.(...about)
    },
    keep: async (...about) => {
      await noted('keep')
      await change.keep?.(...about)
    },
    undo: async (...about) => {
      await noted('undo')
      return (await change.undo?.(...about)) ?? true
    },
  }
}

const fails = async (): Promise<never> => {
  throw new Error('no answer')
}

test('what is proven is kept', async () => {
  define('try', { trial: aTrial({}) })
  await carryOut({ kind: 'try' })
  expect(calls).toEqual(['try done?', 'try guard', 'try run', 'prove', 'keep'])
})

test('what is not proven is rolled back, and the step has failed', async () => {
  define('try', { trial: aTrial({ prove: fails }) })
  await expect(carryOut({ kind: 'try' })).rejects.toThrow('try: The change was rolled back: no answer.')
  expect(calls).toEqual(['try done?', 'try guard', 'try run', 'prove', 'undo', 'try done?'])
  expect(events.filter(({ type }) => type === 'step.undone')).toMatchObject([{ step: 'try', reason: 'no answer' }])
})

test('the answer to keep may be lost: what was kept is done, and nothing is called undone', async () => {
  define('try', { done: [false, true], trial: aTrial({ keep: fails, undo: async () => false }) })
  await carryOut({ kind: 'try' })
  expect(calls).toEqual(['try done?', 'try guard', 'try run', 'prove', 'keep', 'undo', 'try done?'])
  expect(events.some(({ type }) => type === 'step.undone')).toBe(false)
})

test('a change that cannot be rolled back now is left to the next run', async () => {
  define('try', { trial: aTrial({ prove: fails, undo: fails }) })
  await expect(carryOut({ kind: 'try' })).rejects.toThrow('try: no answer.')
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'step.noted',
      text: 'it could not be reverted: no answer. The next run reverts it.',
    }),
  )
})

test('a stopped run ends the proof at once and still takes the change back', async () => {
  const prove = async (_args: unknown, { signal }: { signal: AbortSignal }) => {
    stop.abort()
    signal.throwIfAborted()
  }
  let isCutShort: boolean | undefined
  const undo = async (_args: unknown, { signal }: { signal: AbortSignal }) => {
    isCutShort = signal.aborted
    return true
  }
  define('try', { trial: aTrial({ prove, undo }) })
  await expect(carryOut({ kind: 'try' })).rejects.toThrow(Cancelled)
  expect(calls).toContain('undo')
  expect(isCutShort).toBe(false)
})

test('once nothing may begin, the machine at hand is finished, and no other begins', async () => {
  for (const kind of ['a1', 'a2', 'b0', 'b1', 'b2', 'after-all']) define(kind, {})
  let asked = 0
  const roll = (chain: string) => ({ turn: { name: 'roll', limit: 1, chain } })
  const reason = await execute(
    [
      aStep('a1', roll('a')),
      aStep('a2', { ...roll('a'), after: ['a1'] }),
      aStep('b0', { machine: 'b' }),
      aStep('b1', { ...roll('b'), machine: 'b', after: ['b0'] }),
      aStep('b2', { ...roll('b'), after: ['b1'] }),
      aStep('after-all', { after: ['a2', 'b2'] }),
    ],
    {
      ...aContext({ desired, signal: stop.signal }),
      world: aStub<World>({ clock: createClock(1000) }),
      stepOf,
      emit: (event) => events.push(event),
      mayBegin: async () => (asked++ < 2 ? undefined : 'the window is over'),
      onChange: () => changed++,
      steps: { before: 0, total: 6 },
    },
  )
  expect(reason).toBe('the window is over')
  expect(calls.filter((call) => call.endsWith('run'))).toEqual(['b0 run', 'a1 run', 'a2 run'])
  expect(asked).toBe(3)
})
