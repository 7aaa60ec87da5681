import { expect, test } from 'vitest'
import { aStub } from '../../../tests/support/stub.js'
import type { Observed } from '../../observe/observed.js'
import type { World } from '../../world.js'
import { findMachineMemory } from './machine-memory.js'

const machines = ['cp-1', 'wk-1', 'wk-2', 'wk-3'].map((name) => ({
  name,
  node: { name },
  address: '10.0.0.1',
  mark: { role: name === 'cp-1' ? ('controlplane' as const) : ('worker' as const) },
  talos: { reach: 'secured' as const },
}))
const observed = aStub<Pick<Observed, 'machines' | 'kubernetes'>>({ machines, kubernetes: { seen: true, value: {} } })

test('memory is read in each unit that metrics-server writes; a node that was not measured has none', async () => {
  const items = [
    { metadata: { name: 'cp-1' }, usage: { cpu: '1n', memory: '1843204Ki' } },
    { metadata: { name: 'wk-1' }, usage: { cpu: '1n', memory: '1800Mi' } },
    { metadata: { name: 'wk-2' }, usage: { cpu: '1n', memory: '512' } },
  ]
  const world = aStub<Pick<World, 'kubernetes'>>({ kubernetes: { at: () => ({ list: async () => items }) } })
  const found = await findMachineMemory(observed, world, new AbortController().signal)
  expect([...found]).toEqual([
    ['cp-1', 1843204 * 1024],
    ['wk-1', 1800 * 1024 ** 2],
    ['wk-2', 512],
  ])
})
