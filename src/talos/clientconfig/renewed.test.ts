import { expect, test } from 'vitest'
import { renewedAtHalfLife } from './renewed.js'

const hour = 3_600_000

function aSource() {
  let made = 0
  let time = 1_000 * hour
  const clock = { now: () => time }
  const get = renewedAtHalfLife(24, clock, async (now) => ({ number: ++made, from: now.getTime() }))
  return {
    get,
    at: (hours: number) => {
      time = (1_000 + hours) * hour
    },
  }
}

test('what is made is used for half of its life, then made again', async () => {
  const { get, at } = aSource()
  const numbers: number[] = []
  for (const hours of [0, 6, 11.9, 12, 23, 24.1, 48]) {
    at(hours)
    numbers.push((await get()).number)
  }
  expect(numbers).toEqual([1, 1, 1, 2, 2, 3, 4])
})

test('concurrent callers share one', async () => {
  const { get } = aSource()
  const [one, other] = await Promise.all([get(), get()])
  expect(one).toBe(other)
})

test('a clock that was set back makes a new one: the old one is not valid yet', async () => {
  const { get, at } = aSource()
  await get()
  at(-2)
  expect((await get()).number).toBe(2)
})

test('a failure is not kept', async () => {
  let tries = 0
  const get = renewedAtHalfLife(24, { now: () => 0 }, async () => {
    if (tries++ === 0) throw new Error('no secrets yet')
    return 'made'
  })
  await expect(get()).rejects.toThrow('no secrets yet')
  expect(await get()).toBe('made')
})
