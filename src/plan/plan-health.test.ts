import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aForeignVm, afterMishap, aWorld, carriedOut, specFor } from '../../tests/support/worlds.js'
import type { Observed } from '../observe/observed.js'
import { planRound } from './plan-round.js'
import { planRounds } from './plan-rounds.js'

const hosts = ['pve1']
const spec = specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts }))
const empty = aWorld(hosts)
const whole = carriedOut(planRounds(spec, empty).steps, spec(empty), empty)
const idsIn = (seen: Observed) => planRound(spec(seen), seen, 1).map(({ id }) => id)

function withoutReadyNodes({ machines, ...seen }: Observed): Observed {
  const unready = machines.map(({ node, ...machine }) => ({
    ...machine,
    ...(node === undefined ? {} : { node: { ...node, ready: false } }),
  }))
  return { ...seen, machines: unready }
}

test('whatever is done, the last step of all asks whether the cluster is healthy', () => {
  for (const seen of [empty, afterMishap(whole, 'dev-wk-1', 'memory was changed')]) {
    const steps = planRound(spec(seen), seen, 1)
    expect(steps.length).toBeGreaterThan(1)
    expect(steps.at(-1)).toMatchObject({ kind: 'check-health', after: steps.slice(0, -1).map(({ id }) => id) })
  }
})

test('a cluster that is as it should be is asked about nothing; one that is not well is waited for', () => {
  expect(idsIn(whole)).toEqual([])
  expect(idsIn(withoutReadyNodes(whole))).toContain('check-health')
  const { etcd = { members: [], healthy: [] } } = whole
  expect(idsIn({ ...whole, etcd: { ...etcd, healthy: [] } })).toEqual(['check-health'])
})

test('a guest is made once: not where one has its name or its VMID', async () => {
  const guests = [{ name: 'nas', host: 'pve1', vmid: 120, cpu: 1, ram: '1G', create: true }]
  const withGuest = specFor(await anInventory({ hosts, with: { guests } }))
  const makes = (seen: Observed) => planRound(withGuest(seen), seen, 1).some(({ kind }) => kind === 'make-guest')
  expect(makes(empty)).toBe(true)
  expect(makes(aWorld(hosts, [aForeignVm(999, 'pve1', 'nas')]))).toBe(false)
  expect(makes(aWorld(hosts, [aForeignVm(120, 'pve1', 'renamed')]))).toBe(false)
})

test('--until ends where it says: without etcd, without waiting for nodes, without asking for health', () => {
  const kindsUntil = (until: 'vms' | 'bootstrap' | 'addons' | 'healthy') => {
    const { cluster, ...rest } = spec(empty)
    const steps = planRound({ ...rest, cluster: { ...cluster, until } }, empty, 1)
    const telling = ['start-machine', 'bootstrap-etcd', 'await-ready', 'check-health']
    return telling.filter((kind) => steps.some((step) => step.kind === kind))
  }
  expect(kindsUntil('vms')).toEqual(['start-machine'])
  expect(kindsUntil('bootstrap')).toEqual(['start-machine', 'bootstrap-etcd'])
  expect(kindsUntil('addons')).toEqual(['start-machine', 'bootstrap-etcd', 'await-ready'])
  expect(kindsUntil('healthy')).toEqual(['start-machine', 'bootstrap-etcd', 'await-ready', 'check-health'])
})

test('a template that is not wanted any more goes, unless machines are linked to it', () => {
  const deletesWith = (fullClones: boolean) => {
    const machines = whole.machines.map((machine) => ({
      ...machine,
      mark: { ...machine.mark, more: { template: 'old' } },
    }))
    const [first] = machines
    if (first === undefined) throw new Error('two were made')
    const templates = [{ name: 'old', host: 'pve1', vmid: 998, mark: first.mark, isReady: true }]
    const { cluster, ...rest } = spec(whole)
    const steps = planRound({ ...rest, cluster: { ...cluster, fullClones } }, { ...whole, machines, templates }, 1)
    return steps.some(({ id }) => id === 'delete-machine:old')
  }
  expect([deletesWith(true), deletesWith(false)]).toEqual([true, false])
})
