import { expect, test } from 'vitest'
import { createKeptConnections } from './kept-connections.js'

const hour = 3_600_000

test('a thousand addresses one after the other leave those of the last hour', () => {
  let now = 0
  const closed: number[] = []
  const kept = createKeptConnections<number>({
    monotonic: () => now,
    isBusy: () => false,
    close: (one) => closed.push(one),
  })
  for (let pass = 0; pass < 1000; pass++) {
    now += hour / 4
    expect(kept.get('the node that stays', () => -1)).toBe(-1)
    kept.get(`10.0.${pass}`, () => pass)
  }
  expect(kept.all().length).toBeLessThanOrEqual(6)
  expect(closed).not.toContain(-1)
  kept.clear()
  expect(closed).toHaveLength(1001)
})

test('one that carries a stream is not closed, however old it is', () => {
  let now = 0
  const kept = createKeptConnections<string>({ monotonic: () => now, isBusy: (one) => one === 'busy', close: () => {} })
  kept.get('a', () => 'busy')
  now = 100 * hour
  kept.get('b', () => 'fresh')
  expect(kept.all()).toEqual(['busy', 'fresh'])
})
