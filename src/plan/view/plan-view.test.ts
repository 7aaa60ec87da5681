import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { aViewOf } from '../../../tests/support/plan-views.js'
import { aStep } from '../../../tests/support/steps.js'
import { aWorld, carriedOut, planOf, specFor } from '../../../tests/support/worlds.js'
import { plainDigest } from '../digest.js'
import type { Plan, PlannedStep } from '../plan.js'
import type { PlanFacts } from './machine-rows.js'

const facts: PlanFacts = {
  desired: { cluster: { name: 'dev', target: { talos: 'v1.13.9', kubernetes: 'v1.36.3' } }, machines: [], addons: [] },
  observed: { machines: [], templates: [], secrets: {} },
}
const aPlan = (...steps: PlannedStep[]): Plan => ({
  cluster: 'dev',
  rounds: 1,
  steps,
  expected: aWorld([]),
  away: [],
  unknown: [],
  notes: [],
  digester: plainDigest,
})
const digestOf = (...steps: PlannedStep[]) => aViewOf(aPlan(...steps), facts).digest

test('a plan is the same after JSON, and has every field of version 1', async () => {
  const observed = aWorld(['pve1'])
  const desire = specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts: ['pve1'] }))
  const view = aViewOf(planOf(desire, observed), { desired: desire(observed), observed })
  expect(JSON.parse(JSON.stringify(view))).toStrictEqual(view)
  expect(Object.keys(view)).toEqual(expect.arrayContaining(planFields))
  expect(Object.keys(view.steps[0] ?? {})).toEqual(expect.arrayContaining(stepFields))
  expect(Object.keys(view.machines[0] ?? {})).toEqual(expect.arrayContaining(machineFields))
  expect(view.cluster_id).toBe(observed.secrets.clusterId)
})

const planFields = ['version', 'cluster', 'changes', 'rounds', 'machines', 'steps', 'away', 'unknown', 'notes']
const stepFields = [
  ...['id', 'round', 'kind', 'title', 'after', 'lane', 'disruptive', 'reason', 'changes', 'machine', 'digest'],
  ...['pending', 'loses', 'loses_data'],
]
const machineFields = ['name', 'action', 'host', 'vmid', 'address', 'cpu', 'memory', 'disks', 'loses']

test('the digest of a plan covers its steps, what they write and what they lose, in any order', () => {
  const [start, stop] = [aStep('start'), aStep('stop', { digest: () => 'a' })]
  const known = digestOf(start, stop)
  expect(digestOf(stop, start)).toBe(known)
  expect(digestOf(start)).not.toBe(known)
  expect(digestOf(start, aStep('stop', { digest: () => 'b' }))).not.toBe(known)
  expect(digestOf(start, aStep('stop', { digest: () => 'a', loses: ['disk scsi1'] }))).not.toBe(known)
  expect(digestOf(start, aStep('stop', { digest: () => 'a', title: 'other words' }))).toBe(known)
})

test('a step has the old and new values that its reason names, as data', async () => {
  const hosts = ['pve1']
  const sized = async (sizing: object, more: object = {}) =>
    specFor(
      await anInventory({
        controlPlanes: 1,
        workers: 0,
        hosts,
        with: { worker_pools: [{ name: 'big', count: 1, offset: 3000, sizing }], ...more },
      }),
    )
  const before = await sized({ cpu: 2, ram: '4GiB', disk: '20G' })
  const empty = aWorld(hosts)
  const made = carriedOut(planOf(before, empty).steps, before(empty), empty)
  const sysctls = { 'vm.max_map_count': '262144' }
  const after = await sized({ cpu: 4, ram: '6GiB', disk: '30G' }, { talos: { sysctls } })
  const { steps } = aViewOf(planOf(after, made), { desired: after(made), observed: made })
  const changesOf = (kind: string) => steps.find((step) => step.kind === kind && step.machine === 'dev-big-1')?.changes
  expect(changesOf('reconfigure-vm')).toEqual([
    { what: 'cpu', from: '2', to: '4' },
    { what: 'ram', from: '4 GiB', to: '6 GiB' },
  ])
  expect(changesOf('resize-disk')).toEqual([{ what: 'disk scsi0', from: '20 GiB', to: '30 GiB' }])
  expect(changesOf('change-config')).toEqual([{ what: 'machine.sysctls.vm.max_map_count', from: null, to: '262144' }])
  expect(changesOf('drain-node')).toEqual([])
})
