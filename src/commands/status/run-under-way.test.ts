import { expect, test } from 'vitest'
import type { NewEvent, RunEvent } from '../../events/event.js'
import { runUnderWay } from './run-under-way.js'

const at = '2026-11-15T00:00:00.000Z'
const now = Date.parse(at) + 10_000
const steps = [
  { id: 'a', kind: 'a', title: 'a', after: [] },
  { id: 'b', kind: 'b', title: 'b', after: [] },
]
const started: NewEvent = { type: 'run.started', at, version: 1, cluster: 'dev', goal: 'up', changes: 2, steps }
const done: NewEvent = { type: 'step.finished', at, step: 'a', ms: 5, outcome: 'done' }
const over: NewEvent = { type: 'run.finished', at, outcome: 'done', changed: 2, ms: 9, failed: [], next: [] }
const journal = (...events: NewEvent[]): RunEvent[] =>
  events.map((event, index) => ({ ...event, run: 'r', seq: index + 1 }))

test('a run without an end is under way, with what it has done', () => {
  const run = runUnderWay(journal(started, done), now)
  expect(run).toMatchObject({ goal: 'up', startedAt: Date.parse(at) })
  expect(run?.steps.map(({ status }) => status)).toEqual(['done', 'waiting'])
})

test.each([
  { what: 'no run', events: [], later: 0 },
  { what: 'a run that has ended', events: [started, done, over], later: 0 },
  { what: 'a run that was killed some time ago', events: [started, done], later: 300_000 },
])('$what is not under way', ({ events, later }) => {
  expect(runUnderWay(journal(...events), now + later)).toBeUndefined()
})
