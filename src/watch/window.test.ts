import { expect, test } from 'vitest'
import { opensNext, openUntil } from './window.js'

const at = (text: string) => Date.parse(text)
const night = { cron: '0 2 * * *', for: 3 * 3600_000, time_zone: 'UTC' }
const friday = { cron: '0 22 * * fri'.replace('fri', '5'), for: 6 * 3600_000, time_zone: 'UTC' }

test.each([
  ['before it', [night], '2026-11-19T01:59:59Z', undefined],
  ['at its begin', [night], '2026-11-19T02:00:00Z', '2026-11-19T05:00:00Z'],
  ['in it', [night], '2026-11-19T04:59:59Z', '2026-11-19T05:00:00Z'],
  ['at its end', [night], '2026-11-19T05:00:00Z', undefined],
  ['past midnight', [friday], '2026-11-21T03:00:00Z', '2026-11-21T04:00:00Z'],
  ['in two', [night, friday], '2026-11-21T03:00:00Z', '2026-11-21T05:00:00Z'],
  // Two in the morning does not exist on that day in Berlin: it begins at three, summer time.
  [
    'where a clock change skips its begin',
    [{ ...night, time_zone: 'Europe/Berlin' }],
    '2026-03-29T01:00:00Z',
    '2026-03-29T04:00:00Z',
  ],
  ['by the time zone', [{ ...night, time_zone: 'Asia/Tokyo' }], '2026-11-18T17:30:00Z', '2026-11-18T20:00:00Z'],
])('%s', (_, windows, now, end) => {
  expect(openUntil(windows, at(now))).toBe(end === undefined ? undefined : at(end))
})

test('without windows it is always open', () => {
  expect(openUntil([], at('2026-11-19T12:00:00Z'))).toBe(Number.POSITIVE_INFINITY)
})

test('the next one is the first that begins after now', () => {
  expect(opensNext([night, friday], at('2026-11-20T21:00:00Z'))).toBe(at('2026-11-20T22:00:00Z'))
  expect(opensNext([night, friday], at('2026-11-19T02:00:00Z'))).toBe(at('2026-11-20T02:00:00Z'))
  expect(opensNext([{ ...night, time_zone: 'Asia/Tokyo' }], at('2026-11-18T17:30:00Z'))).toBe(
    at('2026-11-19T17:00:00Z'),
  )
  expect(opensNext([], at('2026-11-19T02:00:00Z'))).toBeUndefined()
})
