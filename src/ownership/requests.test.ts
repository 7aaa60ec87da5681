import { expect, test } from 'vitest'
import { aMark } from '../../tests/support/marks.js'
import { bindRequests, leaseOfRequests, withoutOldRequests } from './requests.js'

const lasting = { born: '1', home: 'pve1', firewall: 'ichor-0123456789ab DROP' }
const asked = { reboot: 'r7', trial: 's 2026-01-01T00:00:00.000Z', 'trial-net0': 'virtio' }
const mark = bindRequests(aMark('dev-wk-1', 3000, { more: { ...lasting, ...asked } }), 7)

test('requests count while the run that wrote them is unfinished, and are gone afterwards; the rest stays', () => {
  expect(leaseOfRequests(mark)).toBe(7)
  expect(withoutOldRequests(mark, new Set([6, 7]))).toEqual(mark)
  expect(withoutOldRequests(mark, new Set([8])).more).toEqual(lasting)
})

test('a mark without requests is bound to no lease, also when they are done', () => {
  expect(bindRequests(aMark('dev-wk-1', 3000), 7)).toEqual(aMark('dev-wk-1', 3000))
  const done = aMark('dev-wk-1', 3000, { more: { rebooted: 'r7', lease: '7' } })
  expect(bindRequests(done, 8).more).toEqual({ rebooted: 'r7' })
})

test('requests that are bound to no lease do not count', () => {
  expect(withoutOldRequests(aMark('dev-wk-1', 3000, { more: { replace: 'r1' } }), new Set([1])).more).toBeUndefined()
})
