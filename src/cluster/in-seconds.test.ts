import { expect, test } from 'vitest'
import { inSeconds } from './in-seconds.js'

test.each([
  { ms: 12_400, clock: {}, text: '12 s' },
  { ms: 900_000, clock: { speed: 60 }, text: '15 s' },
])('$ms ms by a clock of $clock are $text', ({ ms, clock, text }) => {
  expect(inSeconds(ms, clock)).toBe(text)
})
