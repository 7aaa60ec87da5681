import { expect, test } from 'vitest'
import { createSchedule, type Schedulable } from './schedule.js'

const step = (id: string, after: string[] = [], more: Partial<Schedulable> = {}): Schedulable => ({
  id,
  after,
  lanes: [],
  ...more,
})
const takeAll = (schedule: ReturnType<typeof createSchedule<Schedulable>>) => {
  const taken: string[] = []
  for (let next = schedule.take(); next !== undefined; next = schedule.take()) taken.push(next.id)
  return taken
}

test('whatever is unblocked starts, the longest chain first', () => {
  const schedule = createSchedule([step('short'), step('a'), step('b', ['a']), step('c', ['b'])])
  expect(takeAll(schedule)).toEqual(['a', 'short'])
  schedule.finish('a')
  expect(takeAll(schedule)).toEqual(['b'])
})

test('a lane bounds how many run at once', () => {
  const lanes = [{ name: 'host:pve1', limit: 2 }]
  const schedule = createSchedule([step('a', [], { lanes }), step('b', [], { lanes }), step('c', [], { lanes })])
  expect(takeAll(schedule)).toHaveLength(2)
  schedule.finish('a')
  expect(takeAll(schedule)).toHaveLength(1)
})

test('what needs a failed step never runs, and unrelated branches go on', () => {
  const schedule = createSchedule([step('a'), step('b', ['a']), step('x'), step('y', ['x'])])
  takeAll(schedule)
  schedule.fail('a')
  schedule.finish('x')
  expect(takeAll(schedule)).toEqual(['y'])
  schedule.finish('y')
  expect(schedule.isOver).toBe(true)
  expect(schedule.left().map(({ id }) => id)).toEqual(['b'])
})

test('a turn is held until its chain has ended, and a failure closes it to those that have not entered', () => {
  const turn = (chain: string) => ({ turn: { name: 'controlplane', limit: 1, chain } })
  const steps = () => [
    step('drain-1', [], turn('cp-1')),
    step('reset-1', ['drain-1'], turn('cp-1')),
    step('drain-2', [], turn('cp-2')),
  ]
  const held = createSchedule(steps())
  expect(takeAll(held)).toEqual(['drain-1'])
  held.finish('drain-1')
  expect(takeAll(held)).toEqual(['reset-1'])
  held.finish('reset-1')
  expect(takeAll(held)).toEqual(['drain-2'])

  const two = (chain: string) => ({ turn: { name: 'pool:workers', limit: 2, chain } })
  const closed = createSchedule([
    step('drain-1', [], two('wk-1')),
    step('drain-2', [], two('wk-2')),
    step('reset-2', ['drain-2'], two('wk-2')),
    step('drain-3', [], two('wk-3')),
  ])
  expect(takeAll(closed).sort()).toEqual(['drain-1', 'drain-2'])
  closed.fail('drain-1')
  closed.finish('drain-2')
  expect(takeAll(closed)).toEqual(['reset-2'])
  closed.finish('reset-2')
  expect(takeAll(closed)).toEqual([])
  expect(closed.isOver).toBe(true)
  expect(closed.left().map(({ id }) => id)).toEqual(['drain-3'])
})

test('a step after something that is not part of this round does not wait for it', () => {
  expect(takeAll(createSchedule([step('a', ['elsewhere'])]))).toEqual(['a'])
})
