import { afterEach, expect, test, vi } from 'vitest'
import { aContext, aDesired } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { aWorld } from '../../tests/support/worlds.js'
import { createClock } from '../clock.js'
import type { World } from '../world.js'
import { waitUntil } from './wait-until.js'

const wait = { forWhat: 'dev-cp-1 to answer', where: 'machine dev-cp-1', timeoutMs: 10, intervalMs: 1, fix: 'wait' }

afterEach(() => vi.restoreAllMocks())

/** How often a node is asked that takes so long for every "not yet". */
async function questionsOf(ms: number, more: { minAttempts?: number } = {}): Promise<number> {
  let asked = 0
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const context = aContext({ desired: await aDesired(), observed: aWorld(['pve1']) })
  const question = async () => {
    asked++
    now += ms
    return undefined
  }
  const world = aStub<World>({ clock: createClock(1000) })
  await expect(waitUntil({ ...wait, ...more }, question, { ...context, ...world })).rejects.toThrow(
    'for dev-cp-1 to answer.',
  )
  return asked
}

test('a node that answers "not yet" is asked many times, however fast the clock runs', async () => {
  expect(await questionsOf(0.5)).toBe(150)
})

test('a node that hangs is asked a few times: each question lasts as long as many', async () => {
  expect(await questionsOf(10_000)).toBe(6)
  expect(await questionsOf(140_000)).toBe(1)
  expect(await questionsOf(10_000, { minAttempts: 3 })).toBe(3)
})

test('a Proxmox that hangs while a node answers "not yet" does not prolong the wait either', async () => {
  let asked = 0
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const resources = async () => {
    now += 35_000
    throw new Error('the operation timed out')
  }
  const clock = { ...createClock(1000), monotonic: () => (now + asked) * 1000 }
  const world = aStub<World>({ clock, proxmox: { cluster: { resources } } })
  const context = aContext({ desired: await aDesired(), observed: aWorld(['pve1']) })
  const question = async () => void asked++
  const needsHost = { ...wait, machine: 'dev-cp-1' }
  await expect(waitUntil(needsHost, question, { ...context, ...world })).rejects.toThrow('for dev-cp-1 to answer')
  expect(asked).toBeLessThan(10)
})
