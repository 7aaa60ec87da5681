import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import {
  afterMishap,
  aWorld,
  carriedOut,
  type Mishap,
  planOf,
  specFor,
  stepName,
} from '../../../tests/support/worlds.js'
import { ifSeen, seen } from '../../cluster/seen.js'
import type { Desired } from '../../desired/desired.js'
import type { Observed } from '../../observe/observed.js'
import { lossesOf, type PlannedStep } from '../plan.js'

const hosts = ['pve1', 'pve2', 'pve3']
type Spec = (observed: Observed) => Desired

async function aCluster(
  controlPlanes: number,
  workers: number,
  happened: readonly [string, Mishap][] = [],
  more: Readonly<Record<string, unknown>> = {},
) {
  const spec = specFor(await anInventory({ controlPlanes, workers, hosts, with: more }))
  const empty = aWorld(hosts)
  const made = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
  return { spec, observed: happened.reduce((before, [name, what]) => afterMishap(before, name, what), made) }
}

/** This run is asked to replace them. */
function replacing(spec: Spec, ...names: string[]): Spec {
  return (observed) => {
    const desired = spec(observed)
    const replaced = Object.fromEntries(names.map((name) => [name, 'run-1']))
    return { ...desired, cluster: { ...desired.cluster, intent: { replacing: replaced } } }
  }
}

/** An earlier run recorded it in the machine's mark. */
function noted(observed: Observed, name: string): Observed {
  const machines = observed.machines.map((machine) =>
    machine.name === name ? { ...machine, mark: { ...machine.mark, more: { replace: 'run-0' } } } : machine,
  )
  return { ...observed, machines }
}

const about = (steps: readonly PlannedStep[], machine: string) =>
  steps
    .filter((step) => step.machine === machine && step.changes)
    .map(({ round, id }) => `${round} ${stepName(id).split(':')[0]}`)

const left = ['1 drain-node', '1 reset-machine', '1 delete-node', '1 stop-machine', '1 delete-machine']

test('a worker that lives is noted, drained, reset and deleted; then it is made as it was', async () => {
  const { spec, observed } = await aCluster(3, 2)
  const { steps } = planOf(replacing(spec, 'dev-wk-1'), observed)
  const own = about(steps, 'dev-wk-1')
  expect(own.slice(0, 6)).toEqual(['1 mark-intent', ...left])
  expect(own).toEqual(expect.arrayContaining(['2 claim-machine', '2 fill-machine', '2 start-machine']))
  expect(about(steps, 'dev-wk-2')).toEqual([])
  expect(steps.at(-1)).toMatchObject({ kind: 'check-health', round: 2 })
})

test('a run that was killed is finished by the next one, from the mark alone, at every stage', async () => {
  const { spec, observed } = await aCluster(3, 1)
  const before = noted(observed, 'dev-cp-2')
  expect(about(planOf(spec, before).steps, 'dev-cp-2').slice(0, 5)).toEqual(left)
  const reset = {
    ...afterMishap(before, 'dev-cp-2', 'it was switched off'),
    etcd: before.etcd,
  }
  const machines = reset.machines.map((machine) =>
    machine.name === 'dev-cp-2' ? { ...machine, mark: { ...machine.mark, stage: 'leaving' as const } } : machine,
  )
  const own = about(planOf(spec, { ...reset, machines }).steps, 'dev-cp-2')
  expect(own).toContain('1 delete-machine')
  expect(own).not.toContain('1 fill-machine')
})

test('so is the replacement of the machine whose address, known by DHCP alone, was the endpoint', async () => {
  const { spec, observed } = await aCluster(3, 1, [], { network: { mode: 'dhcp' } })
  const known = observed.machines.map((machine, at) => ({ ...machine, address: `10.0.10.${at + 1}` }))
  const before = noted({ ...observed, machines: known }, 'dev-cp-1')
  const reset = { ...afterMishap(before, 'dev-cp-1', 'it was switched off'), etcd: before.etcd }
  const machines = reset.machines.map(({ address, ...machine }) =>
    machine.name === 'dev-cp-1'
      ? { ...machine, mark: { ...machine.mark, stage: 'leaving' as const } }
      : { ...machine, ...(address === undefined ? {} : { address }) },
  )
  const own = about(planOf(spec, { ...reset, machines }).steps, 'dev-cp-1')
  expect(own).toEqual(expect.arrayContaining(['1 delete-machine', '2 claim-machine']))
})

test('nothing is replaced twice: what this run has made stays', async () => {
  const { spec, observed } = await aCluster(1, 1)
  const asked = replacing(spec, 'dev-wk-1')
  const { steps } = planOf(asked, observed)
  const after = [1, 2].reduce(
    (world, round) =>
      carriedOut(
        steps.filter((step) => step.round === round),
        asked(world),
        world,
      ),
    observed,
  )
  expect(planOf(asked, after).steps).toEqual([])
  expect(planOf(spec, after).steps).toEqual([])
})

test.each([
  { what: 'more memory', more: { sizing: { control_plane: { cpu: 2, ram: '6GiB', disk: '40G' } } } },
  { what: 'an evacuation', more: { placement: { evacuate: ['pve2'] } } },
])('control planes wait with $what until the one that is sick is replaced', async ({ more }) => {
  const { observed } = await aCluster(3, 3)
  const changed = specFor(await anInventory({ controlPlanes: 3, workers: 3, hosts, with: more }))
  const etcd = ifSeen(observed.etcd)
  if (etcd === undefined) throw new Error('etcd is there')
  const sick = { ...observed, etcd: seen({ ...etcd, healthy: etcd.healthy.filter((id) => id !== 'dev-cp-1') }) }
  const { steps } = planOf(replacing(changed, 'dev-cp-1'), sick)
  const disturbing = steps.filter(
    ({ kind, machine }) => /drain|restart|migrate|evacuation/.test(kind) && machine !== 'dev-cp-1',
  )
  expect(about(steps, 'dev-cp-1')).toEqual(expect.arrayContaining(['1 remove-etcd-member', '2 claim-machine']))
  expect(disturbing.filter(({ round }) => round <= 2).map(({ id }) => id)).toEqual([])
  expect(disturbing.some(({ machine }) => machine === 'dev-cp-2')).toBe(true)
})

test('one that is to go as well waits for the sick one', async () => {
  const { spec, observed } = await aCluster(3, 0)
  const etcd = ifSeen(observed.etcd)
  if (etcd === undefined) throw new Error('etcd is there')
  const sick = { ...observed, etcd: seen({ ...etcd, healthy: etcd.healthy.filter((id) => id !== 'dev-cp-1') }) }
  const { steps } = planOf(replacing(spec, 'dev-cp-1', 'dev-cp-2'), sick)
  expect(about(steps, 'dev-cp-1').slice(0, 3)).toEqual(['1 mark-intent', '1 drain-node', '1 remove-etcd-member'])
  expect(about(steps, 'dev-cp-2').filter((step) => step.startsWith('1 '))).toEqual([])
  expect(about(steps, 'dev-cp-2')).toContain('3 reset-machine')
})

test('control planes: one that lives only while all others are well, a lost one by its id, the only one never', async () => {
  const three = await aCluster(3, 0)
  const etcd = ifSeen(three.observed.etcd)
  if (etcd === undefined) throw new Error('etcd is there')
  const sick = { ...three.observed, etcd: seen({ ...etcd, healthy: etcd.healthy.filter((id) => id !== 'dev-cp-3') }) }
  expect(() => planOf(replacing(three.spec, 'dev-cp-1'), sick)).toThrow(
    'dev-cp-1 cannot leave while dev-cp-3 is not healthy in etcd.',
  )
  const lost = afterMishap(three.observed, 'dev-cp-3', 'it does not answer')
  const own = about(planOf(replacing(three.spec, 'dev-cp-3'), lost).steps, 'dev-cp-3')
  expect(own.slice(0, 3)).toEqual(['1 mark-intent', '1 drain-node', '1 remove-etcd-member'])
  const two = afterMishap(lost, 'dev-cp-2', 'it does not answer')
  expect(() => planOf(replacing(three.spec, 'dev-cp-3'), two)).toThrow(
    '1 of 3 etcd members are healthy, and 2 are needed',
  )
  const off = afterMishap(afterMishap(three.observed, 'dev-cp-3', 'it is gone'), 'dev-cp-1', 'it was switched off')
  const leaderless = { ...off, etcd: seen({ ...etcd, owners: { 'dev-cp-2': 'dev-cp-2' }, healthy: [] }) }
  expect(() => planOf(replacing(three.spec, 'dev-cp-1'), leaderless)).toThrow(
    'etcd members are healthy, and 2 are needed',
  )
  const one = await aCluster(1, 1)
  expect(() => planOf(replacing(one.spec, 'dev-cp-1'), one.observed)).toThrow('dev-cp-1 is the only member of etcd')
})

test('several are replaced one after the other: the next one goes when the one before is back', async () => {
  const { spec, observed } = await aCluster(3, 2)
  const { steps } = planOf(replacing(spec, 'dev-wk-1', 'dev-wk-2', 'dev-cp-2'), observed)
  const roundOf = (kind: string, machine: string) =>
    steps.find((step) => step.kind === kind && step.machine === machine)?.round
  expect(['dev-wk-1', 'dev-wk-2', 'dev-cp-2'].map((name) => roundOf('delete-machine', name))).toEqual([1, 3, 1])
  expect(['dev-wk-1', 'dev-wk-2', 'dev-cp-2'].map((name) => roundOf('claim-machine', name))).toEqual([2, 4, 2])
})

test('data disks are lost and listed; what is protected is not replaced', async () => {
  const sizing = { sizing: { worker: { cpu: 2, ram: '4G', disk: '20G', disks: [{ size: '50G' }] } } }
  const { spec, observed } = await aCluster(1, 1, [], sizing)
  expect(lossesOf(planOf(replacing(spec, 'dev-wk-1'), observed))).toEqual(['disk scsi1 (50 GiB) of dev-wk-1'])
  const kept = await aCluster(1, 1, [], { protect: ['dev-wk-1'] })
  expect(() => planOf(replacing(kept.spec, 'dev-wk-1'), kept.observed)).toThrow('dev-wk-1 would be deleted')
})

test('a machine that is being wiped is not drained again: its node stays Ready for a while, and its pods cannot terminate', async () => {
  const { spec, observed } = await aCluster(3, 1)
  const before = noted(observed, 'dev-wk-1')
  const machines = before.machines.map((machine) =>
    machine.name === 'dev-wk-1' ? { ...machine, mark: { ...machine.mark, stage: 'leaving' as const } } : machine,
  )
  const own = about(planOf(spec, { ...before, machines }).steps, 'dev-wk-1')
  expect(own).not.toContain('1 drain-node')
  expect(own).toContain('1 delete-machine')
})
