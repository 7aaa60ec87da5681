import { expect, test } from 'vitest'
import { anInventory } from '../tests/support/inventories.js'
import { aWorld } from '../tests/support/worlds.js'
import type { ObservedMachine } from './observe/observed.js'
import { statusOf } from './status.js'

test('a machine that runs another version than the inventory says has drifted, whatever its config says', async () => {
  const inventory = await anInventory({
    controlPlanes: 1,
    with: { talos_version: 'v1.13.9', kubernetes_version: 'v1.36.3' },
  })
  const machine = {
    name: 'dev-cp-1',
    host: 'pve1',
    vmid: 2000,
    status: 'running',
    talos: { reach: 'secured', version: 'v1.12.4', stage: 'running', ready: true, unmet: [], config: '' },
    node: { ready: true, kubeletVersion: 'v1.36.3' },
  } as unknown as ObservedMachine
  const observed = { ...aWorld(['pve1']), machines: [machine] }
  const plan = { version: 1, cluster: 'dev', rounds: 0, steps: [], away: [], notes: [] } as const
  const { drift } = statusOf({ inventory, addons: [] }, observed, plan, [])
  expect(drift).toEqual(['dev-cp-1 runs Talos v1.12.4: the inventory says v1.13.9'])
})
