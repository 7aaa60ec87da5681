import { expect, test } from 'vitest'
import { rotatableKey } from './rotatable-key.js'

test.each(['talos-ca', 'kubernetes-ca', 'service-account-key', 'etcd-encryption-key'])('%s can be rotated', (key) => {
  expect(rotatableKey(key)).toBe(key)
})

test.each([
  ['etcd-ca', /members .* would not talk to each other/],
  ['aggregator-ca', /extension API servers/],
  ['cluster-secret', /sealed with it/],
  ['cluster-id', /name the cluster by it/],
])('%s is refused with the reason', (key, reason) => {
  expect(() => rotatableKey(key)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(reason), exitCode: 3 }),
  )
})

test('a misspelt key is corrected', () => {
  expect(() => rotatableKey('talosca')).toThrow(
    expect.objectContaining({ exitCode: 2, fix: expect.stringContaining('Did you mean talos-ca?') }),
  )
})
