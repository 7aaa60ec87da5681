import { expect, test } from 'vitest'
import { clusterMarkId, deriveIdentity, deriveMac } from './identity.js'

test('the identity of a machine is the same on every computer and at every time', () => {
  expect(deriveIdentity('dev', 'dev-cp-1')).toEqual({
    name: 'dev-cp-1',
    uuid: 'b80c72ea-4c55-8b7f-8ccd-f027daafa86a',
    mac: '02:CA:F5:11:7F:D0',
  })
})

test('a MAC is locally administered and unicast, and differs by cluster, node and NIC', () => {
  const macs = [deriveMac('a', 'n', 0), deriveMac('b', 'n', 0), deriveMac('a', 'm', 0), deriveMac('a', 'n', 1)]
  expect(new Set(macs).size).toBe(4)
  for (const mac of macs) expect(mac).toMatch(/^02(:[0-9A-F]{2}){5}$/)
})

test('cluster and node names do not run into each other', () => {
  expect(deriveMac('ab', 'c', 0)).not.toBe(deriveMac('a', 'bc', 0))
})

test('the mark id does not contain the secret it is made from', () => {
  const secret = 'Zm9vYmFyYmF6'
  expect(clusterMarkId(secret)).toMatch(/^[0-9a-f]{16}$/)
  expect(clusterMarkId(secret)).not.toContain(secret)
})
