import { expect, test } from 'vitest'
import { aSeenMachine } from '../../../tests/support/contexts.js'
import { plainFacts } from '../../../tests/support/facts.js'
import { anInventory } from '../../../tests/support/inventories.js'
import { aStep } from '../../../tests/support/steps.js'
import { aWorld } from '../../../tests/support/worlds.js'
import { seen, unseen } from '../../cluster/seen.js'
import type { NodeInfo } from '../../kubernetes/port.js'
import type { Observed, ObservedAddon, ObservedTalos } from '../../observe/observed.js'
import { plainDigest } from '../../plan/digest.js'
import type { Plan } from '../../plan/plan.js'
import { verdictOf } from '../../report/status-verdict.js'
import { statusOf } from './status.js'

const talos: ObservedTalos = {
  reach: 'secured',
  version: 'v1.13.9',
  stage: 'running',
  ready: true,
  unmet: [],
  config: seen(''),
}
const node: NodeInfo = {
  name: 'dev-cp-1',
  systemUuid: '',
  ready: true,
  unschedulable: false,
  kubeletVersion: 'v1.36.3',
  internalAddresses: [],
  labels: {},
  annotations: {},
  taints: [],
}
const well = aSeenMachine('dev-cp-1', 2000, { talos, node, pool: 'ichor-dev' })
const options = { ...well.options, cpu: 'x86-64-v2-AES' }
const nothing: Plan = {
  cluster: 'dev',
  rounds: 0,
  steps: [],
  away: [],
  unknown: [],
  notes: [],
  expected: aWorld([]),
  digester: plainDigest,
}

test('a machine that runs another version than the inventory has drifted, whatever its config', async () => {
  const inventory = await anInventory({
    controlPlanes: 1,
    with: { talos_version: 'v1.13.9', kubernetes_version: 'v1.36.3' },
  })
  const observed = { ...aWorld(['pve1']), machines: [{ ...well, talos: { ...talos, version: 'v1.12.4' } }] }
  const { drift } = statusOf(plainFacts(inventory, observed), nothing)
  expect(drift).toEqual(['dev-cp-1 runs Talos v1.12.4, expected v1.13.9'])
})

test('a node with a volume that failed is not healthy, however ready it is', async () => {
  const inventory = await anInventory({ controlPlanes: 1 })
  const problem = { kind: 'volume' as const, text: 'the volume data is failed', fix: 'ichor up' }
  const observed = { ...aWorld(['pve1']), machines: [{ ...well, talos: { ...talos, problems: [problem] } }] }
  const status = statusOf(plainFacts(inventory, observed), nothing)
  expect(status).toMatchObject({ healthy: false, machines: [{ ready: true, problems: [problem] }] })
  expect(verdictOf(status).problems).toContainEqual({
    text: 'dev-cp-1: the volume data is failed.',
    fix: 'Correct the diskSelector or the size of a volume of your own patch; restore those of disks: ichor up',
  })
})

const members = [{ id: 'a1', hostname: 'dev-cp-1', peerUrls: [], isLearner: false }]
const addon = (healthy: boolean): ObservedAddon => ({
  name: 'traefik',
  title: 'Traefik',
  version: '1',
  spec: 's',
  managedBy: 'ichor',
  holdsData: false,
  healthy,
})
const etcd = { members, healthy: ['a1'], leader: 'a1', owners: {} }
const kubernetes = { version: 'v1.36.3', nodes: [], addons: [addon(true)] }

test.each<{ what: string; change: Partial<Observed>; healthy: boolean }>([
  { what: 'everything is well', change: {}, healthy: true },
  { what: 'its machine is absent', change: { machines: [] }, healthy: false },
  {
    what: 'its node is NotReady',
    change: { machines: [{ ...well, node: { ...node, ready: false } }] },
    healthy: false,
  },
  { what: 'a member of etcd is not well', change: { etcd: seen({ ...etcd, healthy: [] }) }, healthy: false },
  {
    what: 'no member of etcd answers',
    change: { etcd: seen({ members: [], healthy: [], owners: {} }) },
    healthy: false,
  },
  { what: 'etcd cannot be seen', change: { etcd: unseen('dev-cp-1 does not answer') }, healthy: false },
  {
    what: 'an addon is not well',
    change: { kubernetes: seen({ ...kubernetes, addons: [addon(false)] }) },
    healthy: false,
  },
])('a cluster of which $what is healthy: $healthy', async ({ change, healthy }) => {
  const inventory = await anInventory({ controlPlanes: 1 })
  const base = { ...aWorld(['pve1']), machines: [{ ...well, options }], etcd: seen(etcd), kubernetes: seen(kubernetes) }
  const step = aStep('reconfigure-vm', { title: 'set memory', reason: 'ram 2 GiB -> 4 GiB' })
  const plan: Plan = { ...nothing, rounds: 1, steps: [step, { ...step, changes: false }] }
  const status = statusOf(plainFacts(inventory, { ...base, ...change }), plan)
  expect(status.healthy).toBe(healthy)
  expect(status.drift).toContain('set memory: ram 2 GiB -> 4 GiB')
  expect(status.drift.filter((line) => line.startsWith('set memory'))).toHaveLength(1)
})

test('a machine whose VM is there and cannot be proven, as without the secrets, is unverified and not absent', async () => {
  const inventory = await anInventory({ controlPlanes: 1 })
  const text = 'VM 2000 on pve1 is dev-cp-1 of this cluster, and the secrets are missing.'
  const vm = { host: 'pve1', vmid: 2000, because: 'no-secrets' as const, holds: 'dev-cp-1', text }
  const { machines } = statusOf(plainFacts(inventory, { ...aWorld(['pve1']), unverified: [vm] }), nothing)
  expect(machines).toMatchObject([{ name: 'dev-cp-1', host: 'pve1', vmid: 2000, state: 'unverified', ready: false }])
})
