import { expect, test } from 'vitest'
import { canLeave, canPause, majority } from './quorum.js'

test.each([
  { members: 1, majority: 1 },
  { members: 2, majority: 2 },
  { members: 3, majority: 2 },
  { members: 5, majority: 3 },
])('$members members need $majority', ({ members, majority: needed }) => {
  expect(majority(members)).toBe(needed)
})

test.each([
  { members: 3, healthy: 3, pause: true, leave: true, because: 'all are well' },
  { members: 3, healthy: 2, pause: false, leave: false, because: 'one is already away' },
  { members: 2, healthy: 2, pause: false, leave: true, because: 'two can become one, in order' },
  { members: 1, healthy: 1, pause: false, leave: false, because: 'the last copy stays' },
])('$healthy of $members: pause $pause, leave $leave, because $because', ({ members, healthy, pause, leave }) => {
  expect(canPause(members, healthy)).toBe(pause)
  expect(canLeave(members, healthy)).toBe(leave)
})
