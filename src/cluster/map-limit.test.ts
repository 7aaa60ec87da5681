import { expect, test } from 'vitest'
import { mapLimit } from './map-limit.js'

test('never more than the limit are asked at once, and answers keep their order', async () => {
  let asking = 0
  let most = 0
  const answers = await mapLimit([5, 1, 4, 2, 3], 2, async (thing) => {
    most = Math.max(most, ++asking)
    for (let turn = 0; turn < thing; turn++) await Promise.resolve()
    asking--
    return thing * 10
  })
  expect(answers).toEqual([50, 10, 40, 20, 30])
  expect(most).toBe(2)
})

test('the first that fails fails all', async () => {
  await expect(mapLimit([1, 2], 1, () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
})
