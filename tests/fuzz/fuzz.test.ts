import { expect, test } from 'vitest'
import { fuzz } from './fuzz.js'

test('10,000 inputs that nobody would write are read or refused, and never crash, hang or stay in memory', {
  timeout: 240_000,
}, async () => {
  const results = await fuzz({ inputs: 10_000, seed: 13 })
  expect(results.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}: ${failure}`]))).toEqual([])
})
