import { expect, test } from 'vitest'
import { expiryOf } from './expiry.js'

const now = new Date('2026-11-15T12:00:00Z')

test.each([
  ['90d', '2027-02-13T12:00:00.000Z'],
  ['12h', '2026-11-16T00:00:00.000Z'],
  ['2w', '2026-11-29T12:00:00.000Z'],
  ['2027-01-31', '2027-01-31T23:59:59.000Z'],
])('%s is %s', (text, at) => {
  expect(new Date(expiryOf(text, now) * 1000).toISOString()).toBe(at)
})

test.each([
  ['soon', 'must be a duration or a date, got "soon"'],
  ['2026-11-14', '--expires 2026-11-14 is not in the future'],
  ['0d', '--expires 0d is not in the future'],
  ['2027-13-01', 'must be a duration or a date'],
  ['90m', 'must be a duration or a date'],
])('%s is refused', (text, message) => {
  expect(() => expiryOf(text, now)).toThrow(message)
})
