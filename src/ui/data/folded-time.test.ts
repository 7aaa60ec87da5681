import { expect, test } from 'vitest'
import { foldTime } from './folded-time.js'

test('time in which something ran keeps its length, and a long gap does not', () => {
  const time = foldTime([
    { from: 0, to: 100 },
    { from: 50, to: 150 },
    { from: 1_000_150, to: 1_000_200 },
  ])
  expect(time.place(150)).toBe(150)
  expect(time.total).toBeCloseTo(204)
  expect(time.folds).toEqual([{ at: 150, ms: 1_000_000 }])
  expect(time.place(1_000_200)).toBeCloseTo(time.total)
})

test('a short gap stays as it is, and a time outside stays on the line', () => {
  const time = foldTime([
    { from: 100, to: 200 },
    { from: 205, to: 300 },
  ])
  expect(time.folds).toEqual([])
  expect(time.place(205)).toBe(105)
  expect([time.place(0), time.place(9999)]).toEqual([0, 200])
  expect(foldTime([]).place(5)).toBe(0)
})
