import { expect, test } from 'vitest'
import type { SecretsBundle } from '../secrets/bundle.js'
import { isSeal, sealOf } from './snapshot-seal.js'

const bundle = { cluster: { id: 'an-id', secret: 'a-secret' } } as SecretsBundle

test('the seal of a snapshot stays the same in later releases: they read what earlier ones wrote', () => {
  expect(
    sealOf({ name: 'x', size: 5, keys: { b: [1, { d: null, c: 'é' }], a: undefined } }, bundle),
  ).toMatchInlineSnapshot(`"v1:oaWXnSd77szvp_rddIEJQBPWMHRXWjkxP_URfVklJIM"`)
})

test('the order of keys does not matter, any value does', () => {
  const seal = sealOf({ a: 1, b: 2 }, bundle)
  expect(isSeal(seal, { b: 2, a: 1 }, bundle)).toBe(true)
  expect(isSeal(seal, { b: 2, a: 2 }, bundle)).toBe(false)
})
