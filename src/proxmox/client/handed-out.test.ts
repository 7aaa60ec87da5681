import { expect, test } from 'vitest'
import { createSeenTasks } from './handed-out.js'

const upidAt = (second: number) =>
  `UPID:pve1:0012ABCD:0A1B2C3D:${second.toString(16).toUpperCase().padStart(8, '0')}:qmstart:100:ichor@pve!run:`

test('tasks of the last minutes are known, older ones are forgotten', () => {
  const handedOut = createSeenTasks()
  for (let minute = 0; minute < 1000; minute++) handedOut.add(upidAt(1_700_000_000 + minute * 60))
  expect(handedOut.size).toBe(11)
  expect(handedOut.has(upidAt(1_700_000_000 + 999 * 60))).toBe(true)
  expect(handedOut.has(upidAt(1_700_000_000))).toBe(false)
})
