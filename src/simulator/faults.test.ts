import { expect, test } from 'vitest'
import { createFaults } from './faults.js'

const read = { surface: 'proxmox', method: 'GET', path: '/version', mutating: false } as const
const write = { surface: 'proxmox', method: 'POST', path: '/nodes/pve1/qemu', mutating: true, host: 'pve1' } as const

test('a rule strikes as often as it says and then no more', () => {
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
