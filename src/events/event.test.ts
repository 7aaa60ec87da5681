import { expect, test } from 'vitest'
import { numbered, type RunEvent } from './event.js'

const note = (text: string) => ({ type: 'run.noted', at: 'now', severity: 'info', text }) as const

test('every event carries the id of its run and the next number, from 1 on', () => {
  const events: RunEvent[] = []
  const report = numbered((event) => events.push(event), 'r1')
  for (const text of ['a', 'b', 'c']) report(note(text))
  expect(events.map(({ run, seq }) => [run, seq])).toEqual([
    ['r1', 1],
    ['r1', 2],
    ['r1', 3],
  ])
})

test('renumbering replaces the numbers and keeps the order, without a gap', () => {
  const events: RunEvent[] = []
  const outer = numbered((event) => events.push(event), 'r1')
  const inner = numbered(outer, 'r1')
  inner(note('a'))
  outer(note('between'))
  inner(note('b'))
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3])
})
