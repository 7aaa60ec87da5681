import { expect, test } from 'vitest'
import { majority } from './quorum.js'

test.each([
  { members: 1, majority: 1 },
  { members: 2, majority: 2 },
  { members: 3, majority: 2 },
  { members: 5, majority: 3 },
])('$members members need $majority', ({ members, majority: needed }) => {
  expect(majority(members)).toBe(needed)
})
