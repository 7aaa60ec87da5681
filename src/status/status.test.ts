import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aWorld } from '../../tests/support/worlds.js'
import type { Observed, ObservedAddon, ObservedMachine } from '../observe/observed.js'
import type { Plan } from '../plan/plan.js'
import { statusOf } from './status.js'

const well = {
  name: 'dev-cp-1',
  host: 'pve1',
  vmid: 2000,
  status: 'running',
  talos: { reach: 'secured', version: 'v1.13.9', stage: 'running', ready: true, unmet: [], config: '' },
  node: { ready: true, kubeletVersion: 'v1.36.3' },
} as unknown as ObservedMachine

test('a machine that runs another version than the inventory says has drifted, whatever its config says', async () => {
  const inventory = await anInventory({
    controlPlanes: 1,
    with: { talos_version: 'v1.13.9', kubernetes_version: 'v1.36.3' },
  })
  const talos = { ...well.talos, version: 'v1.12.4' }
  const observed = { ...aWorld(['pve1']), machines: [{ ...well, talos } as ObservedMachine] }
  const plan = { version: 1, cluster: 'dev', rounds: 0, steps: [], away: [], notes: [] } as const
  const { drift } = statusOf({ inventory, addons: [] }, observed, plan, [])
  expect(drift).toEqual(['dev-cp-1 runs Talos v1.12.4: the inventory says v1.13.9'])
})

const members = [{ id: 'a1', hostname: 'dev-cp-1', peerUrls: [], isLearner: false }]
const addon = (healthy: boolean) => ({ name: 'traefik', version: '1', healthy }) as unknown as ObservedAddon

test.each<{ what: string; seen: Partial<Observed>; healthy: boolean }>([
  { what: 'everything is well', seen: {}, healthy: true },
  { what: 'its machine is absent', seen: { machines: [] }, healthy: false },
  { what: 'its node is NotReady', seen: { machines: [{ ...well, node: { ready: false } as never }] }, healthy: false },
  { what: 'a member of etcd is not well', seen: { etcd: { members, healthy: [] } }, healthy: false },
  { what: 'no member of etcd answers', seen: { etcd: { members: [], healthy: [] } }, healthy: false },
  {
    what: 'an addon is not well',
    seen: { kubernetes: { version: 'v1.36.3', nodes: [], addons: [addon(false)] } },
    healthy: false,
  },
])('a cluster of which $what is healthy: $healthy', async ({ seen, healthy }) => {
  const inventory = await anInventory({ controlPlanes: 1 })
  const etcd = { members, healthy: ['a1'], leader: 'a1' }
  const kubernetes = { version: 'v1.36.3', nodes: [], addons: [addon(true)] }
  const observed: Observed = { ...aWorld(['pve1']), machines: [well], etcd, kubernetes, ...seen }
  const change = { title: 'set memory', reason: 'ram 2 GiB -> 4 GiB', changes: true }
  const steps = [change, { ...change, changes: false }] as unknown as Plan['steps']
  const plan: Plan = { version: 1, cluster: 'dev', rounds: 1, steps, away: [], notes: [] }
  const status = statusOf({ inventory, addons: [] }, observed, plan, [])
  expect(status.healthy).toBe(healthy)
  expect(status.drift).toContain('set memory: ram 2 GiB -> 4 GiB')
  expect(status.drift.filter((line) => line.startsWith('set memory'))).toHaveLength(1)
})
