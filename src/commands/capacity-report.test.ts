import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { Capacity } from '../operations/capacity.js'
import { textStyle } from '../report/text-style.js'
import { capacityText } from './capacity-report.js'

const GiB = 1024 ** 3
const amount = (used: number, total: number, unit = 1) => ({
  used: used * unit,
  total: total * unit,
  free: (total - used) * unit,
})
const host = (name: string, cpu: number, memory: number) => ({
  name,
  cpu: amount(cpu, 64),
  memory: amount(memory, 62, GiB),
  machines: ['prod-cp-1', 'prod-storage-1'].map((machine) => `${machine}-${name}`),
  guests: [],
  reserve: { cpu: 4, memory: 8 * GiB },
  unseen: 0,
  storages: [{ name: 'local-lvm', ...amount(memory * 5, 500, GiB) }],
})
const capacity: Capacity = {
  cluster: 'prod',
  hosts: [host('pve1', 8, 24), host('pve2', 16, 8)],
  asked: { machines: 4, cpu: 24, memory: 32 * GiB, disk: 160 * GiB },
  loss: {
    host: 'pve1',
    etcd: { members: 3, left: 2, needed: 2, survives: true },
    api: { survives: true, reason: 'the VIP moves to another control plane' },
    pools: [{ name: 'workers', machines: 4, left: 2, survives: true }],
    refit: { fits: false, reason: 'Not enough capacity for all machines: prod-storage-1 needs 16 GiB of memory' },
  },
}
const rich = textStyle({ isTTY: true }, { NO_COLOR: '1' })

test.each([40, 80, 200])('at %i columns no line is wider, and no host or storage is left out', (width) => {
  const text = capacityText(capacity, rich, width)
  for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(width)
  for (const what of ['pve1', 'pve2', 'local-lvm', '120/500 GiB', '40/500 GiB', '24/62 GiB', '16/64'])
    expect(text).toContain(what)
})

test('bars go first, then the names of machines, then storages have lines of their own', () => {
  const wide = capacityText(capacity, rich, 200)
  expect(wide).toContain('█')
  expect(wide).toContain('2: prod-cp-1-pve1')
  const middle = capacityText(capacity, rich, 90)
  expect(middle).not.toContain('█')
  expect(middle).toContain('2: prod-cp-1-pve1')
  const narrow = capacityText(capacity, rich, 60)
  expect(narrow).not.toContain('prod-cp-1-pve1')
  expect(narrow).toMatch(/^HOST +vCPU +MEMORY +STORAGE local-lvm +MACHINES$/m)
  expect(capacityText(capacity, rich, 40)).toMatch(
    /^STORAGE local-lvm\n {2}pve1 {2}120\/500 GiB\n {2}pve2 {2}40\/500 GiB$/m,
  )
})

test('bars of a column begin below each other', () => {
  const [, , one = '', other = ''] = capacityText(capacity, rich, 200).split('\n')
  const bars = (line: string) => [...line.matchAll(/[█░]+/g)].map(({ index }) => index)
  expect(bars(one)).toHaveLength(3)
  expect(bars(one)).toEqual(bars(other))
})

test.each([40, 80])('colours move nothing at %i columns', (width) => {
  const coloured = capacityText(capacity, textStyle({ isTTY: true }, {}), width)
  expect(stripVTControlCharacters(coloured)).toBe(capacityText(capacity, rich, width))
})
