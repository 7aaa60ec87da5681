import { expect, test } from 'vitest'
import { aSeenMachine } from '../../tests/support/contexts.js'
import { plainFacts } from '../../tests/support/facts.js'
import { anInventory } from '../../tests/support/inventories.js'
import { aWorld } from '../../tests/support/worlds.js'
import { shippedAdvisories } from '../advisories/shipped-advisories.js'
import { seen } from '../cluster/seen.js'
import type { ObservedTalos } from '../observe/observed.js'
import { upgradeOutlook } from './upgrade-outlook.js'

const talos = (version: string): ObservedTalos => ({
  reach: 'secured',
  version,
  stage: 'running',
  ready: true,
  unmet: [],
  config: seen(''),
})

async function outlook(runs: string, wants: { readonly talos: string; readonly kubernetes: string }) {
  const inventory = await anInventory({
    controlPlanes: 1,
    with: { talos_version: wants.talos, kubernetes_version: wants.kubernetes },
  })
  const observed = { ...aWorld(['pve1']), machines: [aSeenMachine('dev-cp-1', 2000, { talos: talos(runs) })] }
  return upgradeOutlook(plainFacts(inventory, observed, { advisories: shippedAdvisories() }))
}

test('a cluster on the newest versions has nothing to upgrade to', async () => {
  const { running, affected, upgrades } = await outlook('v1.13.9', { talos: 'v1.13.9', kubernetes: 'v1.36.3' })
  expect({ running: running.talos, affected, upgrades }).toEqual({ running: ['v1.13.9'], affected: [], upgrades: [] })
})

test('an upgrade names its command, its first change, the restarts, and the known problems that it leads into', async () => {
  const { upgrades } = await outlook('v1.10.8', { talos: 'v1.11.0', kubernetes: 'v1.34.1' })
  expect(upgrades).toMatchObject([
    { command: 'ichor upgrade', talos: 'v1.11.0', first: 'Talos v1.10.8 -> v1.11.0', restarts: 1 },
    { command: 'ichor upgrade --talos v1.13.9 --kubernetes v1.36.3 --dry-run', talos: 'v1.13.9' },
  ])
  expect(upgrades[0]?.entered.map(({ id }) => id)).toEqual(['etcd-zombie-members'])
})

test('a version that the inventory does not ask for is offered, and what runs into no known problem says so', async () => {
  const { upgrades } = await outlook('v1.12.7', { talos: 'v1.12.7', kubernetes: 'v1.35.4' })
  expect(upgrades.map(({ talos: to, entered }) => [to, entered])).toEqual([['v1.13.9', []]])
})
