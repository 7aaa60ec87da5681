import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { afterMishap, aWorld, carriedOut, planOf, specFor, stepNames } from '../../../tests/support/worlds.js'
import { ifSeen, seen } from '../../cluster/seen.js'
import type { Desired } from '../../desired/desired.js'
import type { Observed } from '../../observe/observed.js'

const hosts = ['pve1', 'pve2', 'pve3']
const spec = specFor(await anInventory({ controlPlanes: 3, workers: 2, hosts }))
const empty = aWorld(hosts)
const standing = carriedOut(planOf(spec, empty).steps, spec(empty), empty)

const rebooting =
  (...names: string[]) =>
  (observed: Observed): Desired => {
    const desired = spec(observed)
    const asked = Object.fromEntries(names.map((name) => [name, 'run-1']))
    return { ...desired, cluster: { ...desired.cluster, intent: { rebooting: asked } } }
  }

test('all are noted first; each is drained, rebooted, waited for and takes work again, control planes before workers', () => {
  const { steps } = planOf(rebooting('dev-wk-1', 'dev-cp-1'), standing)
  const names = stepNames(steps)
  const chain = (name: string) =>
    ['drain-node', 'reboot-machine', 'await-back', 'uncordon-node'].map((kind) => `${kind}:${name}`)
  expect(names).toEqual(
    expect.arrayContaining([
      'mark-intent:dev-cp-1',
      'mark-intent:dev-wk-1',
      ...chain('dev-cp-1'),
      ...chain('dev-wk-1'),
    ]),
  )
  const worker = steps.find(({ kind, machine }) => kind === 'drain-node' && machine === 'dev-wk-1')
  const back = steps.find(({ kind, machine }) => kind === 'uncordon-node' && machine === 'dev-cp-1')
  expect(worker?.after).toContain(back?.id)
  expect(steps.filter(({ kind }) => kind === 'reboot-machine').map(({ turn }) => turn?.name)).toEqual([
    'controlplane',
    'pool:workers',
  ])
})

test('what was rebooted is not rebooted again, and what an interrupted run has noted is', () => {
  const asked = rebooting('dev-wk-1')
  const after = carriedOut(planOf(asked, standing).steps, asked(standing), standing)
  expect(planOf(asked, after).steps).toEqual([])
  expect(planOf(spec, after).steps).toEqual([])
  const machines = standing.machines.map((machine) =>
    machine.name === 'dev-wk-2' ? { ...machine, mark: { ...machine.mark, more: { reboot: 'run-0' } } } : machine,
  )
  expect(stepNames(planOf(spec, { ...standing, machines }).steps)).toContain('reboot-machine:dev-wk-2')
})

test('one that is off is started, and rebooted in the next round', () => {
  const { steps } = planOf(rebooting('dev-wk-1'), afterMishap(standing, 'dev-wk-1', 'it was switched off'))
  const rounds = steps
    .filter(({ kind }) => /^(start|reboot)-machine$/.test(kind))
    .map(({ kind, round }) => [kind, round])
  expect(rounds).toEqual([
    ['start-machine', 1],
    ['reboot-machine', 2],
  ])
})

test('one that an interrupted run left cordoned takes work again after its reboot, not before', () => {
  const asked = rebooting('dev-wk-1')
  const drained = planOf(asked, standing).steps.filter(({ kind }) => /^(mark-intent|drain-node)$/.test(kind))
  const { steps } = planOf(spec, carriedOut(drained, asked(standing), standing))
  const uncordon = steps.filter(({ kind }) => kind === 'uncordon-node')
  const back = steps.find(({ kind }) => kind === 'await-back')
  expect(uncordon.map(({ after }) => after)).toEqual([[back?.id]])
})

test('a control plane votes until another one that is being replaced is back', () => {
  const machines = standing.machines.map((machine) => {
    const { mark } = machine
    if (machine.name === 'dev-cp-3')
      return { ...machine, mark: { ...mark, stage: 'leaving' as const, more: { replace: 'run-0' } } }
    return machine.name === 'dev-cp-2' ? { ...machine, mark: { ...mark, more: { reboot: 'run-1' } } } : machine
  })
  const without = ifSeen(standing.etcd)
  if (without === undefined) throw new Error('there is an etcd')
  const etcd = seen({
    ...without,
    members: without.members.filter(({ id }) => without.owners[id] !== 'dev-cp-3'),
    healthy: without.healthy.filter((id) => without.owners[id] !== 'dev-cp-3'),
  })
  const { steps } = planOf(spec, afterMishap({ ...standing, machines, etcd }, 'dev-cp-3', 'it was switched off'))
  const round = (kind: string, machine: string) =>
    steps.find((step) => step.kind === kind && step.machine === machine)?.round
  expect(round('delete-machine', 'dev-cp-3')).toBe(1)
  expect(round('start-machine', 'dev-cp-3')).toBe(2)
  expect(round('reboot-machine', 'dev-cp-2')).toBe(3)
})
