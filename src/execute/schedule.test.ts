import fc from 'fast-check'
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

test('those of a chain that has its turn start, also where the rest of the turn is full', () => {
  const turn = (chain: string) => ({ turn: { name: 'pool:workers', limit: 1, chain } })
  const schedule = createSchedule([
    step('other', [], turn('wk-1')),
    step('cordon', [], turn('wk-2')),
    step('note', [], turn('wk-2')),
  ])
  expect(takeAll(schedule)).toEqual(['other'])
  schedule.finish('other')
  expect(takeAll(schedule)).toEqual(['cordon', 'note'])
})

test('whatever the steps are, all run once, in order, and never more at once than their lanes and turns allow', () => {
  const anyStep = fc.record({
    needs: fc.array(fc.nat(30), { maxLength: 3 }),
    lane: fc.option(fc.nat(2), { nil: undefined }),
    chain: fc.option(fc.nat(3), { nil: undefined }),
    lasts: fc.nat(5),
  })
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 30 }), (drawn) => {
      const limits = { lane: 2, turn: 1 }
      const steps = drawn.map(({ needs, lane, chain }, index) => {
        // A chain holds its turn to the end, so its dependencies must not wait for that turn.
        const before = needs.filter((need) => need < index && (chain === undefined || drawn[need]?.chain === chain))
        const after = before.map((need) => `${need}`)
        const lanes = lane === undefined ? [] : [{ name: `lane-${lane}`, limit: limits.lane }]
        const turn = chain === undefined ? {} : { turn: { name: 'turn', limit: limits.turn, chain: `${chain}` } }
        return step(`${index}`, after, { lanes, ...turn })
      })
      const schedule = createSchedule(steps)
      const done = new Set<string>()
      let running: Schedulable[] = []
      for (let time = 0; !schedule.isOver && time < 1000; time++) {
        for (let next = schedule.take(); next !== undefined; next = schedule.take()) {
          expect(next.after.every((id) => done.has(id))).toBe(true)
          running.push(next)
        }
        for (const lane of ['lane-0', 'lane-1', 'lane-2'])
          expect(running.filter(({ lanes }) => lanes[0]?.name === lane).length).toBeLessThanOrEqual(limits.lane)
        expect(new Set(running.flatMap(({ turn }) => turn?.chain ?? [])).size).toBeLessThanOrEqual(limits.turn)
        const [finished, ...rest] = running.toSorted((one, other) => lastsOf(drawn, one) - lastsOf(drawn, other))
        if (finished !== undefined) {
          schedule.finish(finished.id)
          done.add(finished.id)
        }
        running = rest
      }
      expect(done.size).toBe(steps.length)
    }),
  )
})

function lastsOf(drawn: readonly { lasts: number }[], { id }: Schedulable): number {
  return drawn[Number(id)]?.lasts ?? 0
}

test('a step that waits only for its turn is reported once', () => {
  const held: string[] = []
  const turn = (chain: string) => ({ turn: { name: 'controlplane', limit: 1, chain } })
  const schedule = createSchedule([step('one', [], turn('cp-1')), step('two', [], turn('cp-2'))], ({ id }) =>
    held.push(id),
  )
  expect([schedule.take()?.id, schedule.take()?.id, schedule.take()?.id]).toEqual(['one', undefined, undefined])
  expect(held).toEqual(['two'])
  schedule.finish('one')
  expect(schedule.take()?.id).toBe('two')
})
