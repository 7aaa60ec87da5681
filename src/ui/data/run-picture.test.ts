import { expect, test } from 'vitest'
import type { NewEvent, RunEvent } from '../../events/event.js'
import { emptyRun, floorOf, longestChain, waitsOf, withEvents } from './run-picture.js'

const at = (second: number) => new Date(Date.UTC(2026, 10, 19) + second * 1000).toISOString()
const announced = (id: string, after: string[] = []) => ({ id, kind: 'k', title: id, after, machine: 'm' })
const news: NewEvent[] = [
  { type: 'run.noted', at: at(0), text: 'a note', severity: 'warning' },
  {
    type: 'run.started',
    at: at(10),
    version: 1,
    cluster: 'dev',
    goal: 'up',
    changes: 2,
    steps: [announced('a'), announced('b', ['a'])],
  },
  { type: 'step.started', at: at(11), step: 'a', attempt: 1 },
  { type: 'step.failed', at: at(12), step: 'a', problem: 'busy', where: 'pve1', fix: 'wait', retryInMs: 1000 },
  { type: 'step.started', at: at(13), step: 'a', attempt: 2 },
  { type: 'step.finished', at: at(14), step: 'a', ms: 3000, outcome: 'done' },
  { type: 'round.started', at: at(15), round: 2, steps: [announced('b', ['a']), announced('c')] },
  { type: 'step.started', at: at(16), step: 'b', attempt: 1 },
  { type: 'step.waiting', at: at(17), step: 'b', for: 'host pve2', since: at(17) },
  { type: 'step.failed', at: at(20), step: 'b', problem: 'pve2 is offline', where: 'pve2', fix: 'bring it back' },
  { type: 'run.finished', at: at(21), outcome: 'failed', changed: 1, ms: 1, failed: ['b'], next: ['bring it back'] },
]
const events: RunEvent[] = news.map((event, index) => ({ ...event, run: 'r', seq: index + 1 }))

test('a run is drawn from its events: what is done, what failed and why, what never began', () => {
  const run = withEvents(emptyRun, events)
  expect(run).toMatchObject({
    goal: 'up',
    outcome: 'failed',
    seq: 11,
    next: ['bring it back'],
    startedAt: Date.parse(at(10)),
  })
  expect([...run.steps.values()].map(({ id, state, round }) => [id, state, round])).toEqual([
    ['a', 'done', 1],
    ['b', 'failed', 1],
    ['c', 'next', 2],
  ])
  expect(run.steps.get('b')?.failure).toEqual({ problem: 'pve2 is offline', where: 'pve2', fix: 'bring it back' })
  expect(run.steps.get('a')).toMatchObject({ startedAt: Date.parse(at(11)), endedAt: Date.parse(at(14)) })
})

test('a step that is tried again waits, and says for what', () => {
  const run = withEvents(emptyRun, events.slice(0, 4))
  expect(run.steps.get('a')).toMatchObject({ state: 'waiting', waitsFor: 'busy', failure: null })
})

test('whatever the cuts of the stream, and whatever comes twice, the picture is the same', () => {
  const whole = withEvents(emptyRun, events)
  for (let cut = 0; cut <= events.length; cut++) {
    const first = withEvents(emptyRun, events.slice(0, cut))
    expect(withEvents(first, events.slice(Math.max(0, cut - 3)))).toEqual(whole)
  }
})

test('what is waited for is named with the steps that wait for it', () => {
  const waits = waitsOf(withEvents(emptyRun, events.slice(0, 9)))
  expect(waits.map((one) => [one.for, one.steps.map(({ id }) => id)])).toEqual([['host pve2', ['b']]])
  expect(waitsOf(withEvents(emptyRun, events))).toEqual([])
})

test('the floor counts neither waits nor gaps: a worked two seconds, b one', () => {
  expect(floorOf(withEvents(emptyRun, events))).toBe(3000)
})

test('of a run that goes on, the chain ends with what runs', () => {
  expect(longestChain(withEvents(emptyRun, events.slice(0, 8)).steps).map(({ id }) => id)).toEqual(['a', 'b'])
})

test('the longest chain goes back from the step that ended last through those that it waited for', () => {
  expect(longestChain(withEvents(emptyRun, events).steps).map(({ id }) => id)).toEqual(['a', 'b'])
})
