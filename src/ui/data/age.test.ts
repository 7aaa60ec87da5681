import { expect, test } from 'vitest'
import { aSnapshot } from '../../page/testing/snapshots.js'
import { isOld } from './age.js'

const snapshot = aSnapshot({ took_ms: 2000 })
const after = (seconds: number) => Date.parse(snapshot.at) + seconds * 1000

test('what was seen is old after three missed looks, however long a look takes and rests', () => {
  const state = { snapshot, every_ms: 10_000 }
  expect([31, 32, 33].map((seconds) => isOld(snapshot.at, state, after(seconds)))).toEqual([false, false, true])
  expect(isOld(snapshot.at, { ...state, every_ms: 60_000 }, after(180))).toBe(false)
  expect(isOld(null, state, after(99))).toBe(false)
})

test('a file is as of its date', () => {
  expect(isOld(snapshot.at, { snapshot, every_ms: 0 }, after(1e9))).toBe(false)
})
