import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aWorld } from '../../tests/support/worlds.js'
import { PlanRefused } from '../errors.js'
import type { Observed } from '../observe/observed.js'
import { destroy, type Goal, restoreFrom, up } from '../operations/goals.js'

const restore = {
  snapshot: 'dev-1',
  run: 'run-1',
  skipHashCheck: false,
  members: [],
  overHealthy: false,
  mayBeGone: false,
}
const marked: Observed = {
  ...aWorld(['pve1']),
  secrets: { present: false, bootstrapped: false, sealed: false },
  unverified: [{ host: 'pve1', vmid: 2000, because: 'no-secrets', text: 'VM 2000 is marked.', name: 'dev-cp-1' }],
}

async function codesOf(goal: Goal, observed: Observed, more: Readonly<Record<string, unknown>> = {}) {
  const inventory = await anInventory({ controlPlanes: 1, workers: 1, hosts: ['pve1'], with: more })
  const patches = { cluster: [], controlPlane: [], worker: [], pools: {}, nodes: {} }
  try {
    const desired = goal.desire(
      { inventory, secrets: undefined, patches, addons: [], intent: {}, until: 'healthy' },
      observed,
    )
    return goal.planRound(desired, observed, 1).map(({ kind }) => kind)
  } catch (thrown) {
    if (thrown instanceof PlanRefused) return thrown.findings.map(({ code }) => code)
    throw thrown
  }
}

test('what does not fit on the hosts hides nothing else: all of it is shown, what is solved first first', async () => {
  const large = { sizing: { worker: { ram: '500GiB' } } }
  expect(await codesOf(up, marked, large)).toEqual(['ICH0850', 'ICH1050'])
  expect(await codesOf(restoreFrom(restore), marked, large)).toEqual(['ICH0850', 'ICH1050'])
})

test('a host without two kinds of storage is refused for both, and for what else is wrong', async () => {
  const disksOnly = marked.proxmox.storages.filter(({ content }) => content.includes('images'))
  const observed = { ...marked, proxmox: { ...marked.proxmox, storages: disksOnly } }
  expect(await codesOf(up, observed)).toEqual(['ICH0850', 'ICH1054', 'ICH1054'])
})

test('a goal is refused only for what blocks it', async () => {
  expect(await codesOf(destroy, marked)).toEqual(['remove-pool'])
})
