import { expect, test } from 'vitest'
import { markBackups, parseRetention } from './retention.js'

const at = (time: string, isProtected = false) => ({
  ctime: Date.parse(`${time}Z`) / 1000,
  isProtected,
})

/** Two a day around the turn of a year, newest last. */
const backups = [
  '2025-12-29T01:00',
  '2025-12-29T13:00',
  '2025-12-31T01:00',
  '2026-01-01T01:00',
  '2026-01-05T01:00',
  '2026-01-05T01:30',
].map((time) => at(time))

test.each([
  { retention: 'keep-all=1', kept: [0, 1, 2, 3, 4, 5], because: 'everything stays' },
  { retention: 'keep-last=0', kept: [0, 1, 2, 3, 4, 5], because: 'a zero asks for nothing' },
  { retention: 'keep-last=2', kept: [4, 5], because: 'the newest two' },
  { retention: 'keep-hourly=2', kept: [3, 5], because: 'the newest of each hour' },
  { retention: 'keep-daily=3', kept: [2, 3, 5], because: 'the newest of each day' },
  { retention: 'keep-weekly=2', kept: [3, 5], because: 'a week may lie in two years' },
  { retention: 'keep-monthly=2', kept: [2, 5], because: 'the newest of each month' },
  { retention: 'keep-yearly=5', kept: [2, 5], because: 'there are only two years' },
  { retention: 'keep-last=1,keep-daily=2', kept: [2, 3, 5], because: 'a day that is covered does not count again' },
])('$retention keeps $kept: $because', ({ retention, kept }) => {
  const marks = markBackups(backups, parseRetention(retention))
  expect(backups.flatMap((one, i) => (marks.get(one) === 'keep' ? [i] : []))).toEqual(kept)
})

test('a protected backup stays, and does not count among those that are kept', () => {
  const guarded = at('2026-01-06T01:00', true)
  const marks = markBackups([...backups, guarded], parseRetention('keep-last=1'))
  expect([...marks.values()]).toEqual(['remove', 'remove', 'remove', 'remove', 'remove', 'keep', 'protected'])
})
