import { expect, test } from 'vitest'
import { createFaults } from './faults.js'

const read = { surface: 'proxmox', method: 'GET', path: '/version', mutating: false } as const
const write = { surface: 'proxmox', method: 'POST', path: '/nodes/pve1/qemu', mutating: true, host: 'pve1' } as const

test('a rule applies as often as configured', () => {
  const faults = createFaults()
  faults.add({ match: { path: '^/nodes/' }, action: { kind: 'refuse' }, times: 2 })
  expect(faults.meet(read)).toBeUndefined()
  expect([faults.meet(write), faults.meet(write), faults.meet(write)].map(Boolean)).toEqual([true, true, false])
})

test('the Nth mutating call is counted over all surfaces, and reads do not count', () => {
  const faults = createFaults()
  faults.add({ match: { nthMutating: 2 }, action: { kind: 'kill-caller' } })
  expect(faults.meet(write)).toBeUndefined()
  expect(faults.meet(read)).toBeUndefined()
  expect(faults.meet({ ...write, surface: 'talos', method: 'Bootstrap', path: '' })?.action.kind).toBe('kill-caller')
  expect(faults.meet(write)).toBeUndefined()
})

test('a rule with a chance meets the same calls again with the same seed, and others with another', () => {
  const struck = (seed: number) => {
    const faults = createFaults(seed)
    faults.add({ match: {}, action: { kind: 'refuse' }, chance: 0.3, times: Number.POSITIVE_INFINITY })
    return Array.from({ length: 100 }, () => faults.meet(write) !== undefined)
  }
  expect(struck(7)).toEqual(struck(7))
  expect(struck(7)).not.toEqual(struck(8))
  const share = struck(7).filter(Boolean).length
  expect(share).toBeGreaterThan(15)
  expect(share).toBeLessThan(45)
})

test.each([
  { match: { method: 'POST' }, meets: true },
  { match: { method: 'DELETE' }, meets: false },
  { match: { path: '/qemu$' }, meets: true },
  { match: { path: '/clone$' }, meets: false },
  { match: { vmid: 2000 }, meets: true },
  { match: { vmid: 2001 }, meets: false },
  { match: { host: 'pve1' }, meets: true },
  { match: { host: 'pve2' }, meets: false },
  { match: { surface: 'talos' }, meets: false },
  { match: { method: 'POST', host: 'pve1', nthMutating: 1 }, meets: true },
] as const)('a rule for $match meets a POST about VM 2000 on pve1: $meets', ({ match, meets }) => {
  const faults = createFaults()
  faults.add({ match, action: { kind: 'refuse' } })
  expect(faults.meet({ ...write, vmid: 2000 }) !== undefined).toBe(meets)
})
