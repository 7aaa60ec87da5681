import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import {
  aForeignVm,
  afterMishap,
  aWorld,
  carriedOut,
  planOf,
  specFor,
  stepName,
  stepNames,
} from '../../tests/support/worlds.js'
import { ifSeen, seen, unseen } from '../cluster/seen.js'
import type { Observed } from '../observe/observed.js'
import { planRound } from '../rounds/plan-round.js'
import type { PlannedStep } from './plan.js'

const hosts = ['pve1']
const spec = specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts }))
const empty = aWorld(hosts)
const whole = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
const stepsIn = (observed: Observed) => stepNames(planRound(spec(observed), observed, 1))

function withoutReadyNodes({ machines, ...observed }: Observed): Observed {
  const unready = machines.map(({ node, ...machine }) => ({
    ...machine,
    ...(node === undefined ? {} : { node: { ...node, ready: false } }),
  }))
  return { ...observed, machines: unready }
}

/** Every step that finishes before that one starts. */
function allBefore(id: string, steps: readonly PlannedStep[]): Set<string> {
  const after = steps.find((step) => step.id === id)?.after ?? []
  return new Set([...after, ...after.flatMap((other) => [...allBefore(other, steps)])])
}

test('whatever is done, the last step of all asks whether the cluster is healthy', () => {
  for (const observed of [empty, afterMishap(whole, 'dev-wk-1', 'memory was changed')]) {
    const steps = planRound(spec(observed), observed, 1)
    expect(steps.length).toBeGreaterThan(1)
    expect(steps.at(-1)?.kind).toBe('check-health')
    expect(allBefore('check-health', steps)).toEqual(new Set(steps.slice(0, -1).map(({ id }) => id)))
  }
})

test('a cluster that is as it should be is asked about nothing; one that is not well is waited for', () => {
  expect(stepsIn(whole)).toEqual([])
  expect(stepsIn(withoutReadyNodes(whole))).toContain('check-health')
  const etcd = ifSeen(whole.etcd)
  if (etcd === undefined) throw new Error('etcd was seen')
  expect(stepsIn({ ...whole, etcd: seen({ ...etcd, healthy: [] }) })).toEqual(['check-health'])
  expect(stepsIn({ ...whole, etcd: unseen('no answer') })).toContain('check-health')
})

test('a guest is made once: not where one has its name or its VMID', async () => {
  const guests = [{ name: 'nas', host: 'pve1', vmid: 120, cpu: 1, ram: '1G', create: true }]
  const withGuest = specFor(await anInventory({ hosts, with: { guests } }))
  const makes = (observed: Observed) =>
    planRound(withGuest(observed), observed, 1).some(({ kind }) => kind === 'make-guest')
  expect(makes(empty)).toBe(true)
  expect(makes(aWorld(hosts, [aForeignVm(999, 'pve1', 'nas')]))).toBe(false)
  expect(makes(aWorld(hosts, [aForeignVm(120, 'pve1', 'renamed')]))).toBe(false)
})

test('--until stops early: without etcd, without waiting for nodes, without health checks', () => {
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

test('a template that is not wanted any more goes, unless a disk depends on its own', () => {
  const [first] = whole.machines
  if (first === undefined) throw new Error('two were made')
  const templates = [{ name: 'old', host: 'pve1', vmid: 998, mark: first.mark, isSealed: true, isReady: true }]
  const deletesWith = (scsi0: string) => {
    const machines = whole.machines.map((machine) => ({ ...machine, options: { ...machine.options, scsi0 } }))
    const steps = planRound(spec(whole), { ...whole, machines, templates }, 1)
    return steps.some(({ id }) => stepName(id) === 'delete-machine:old')
  }
  expect(deletesWith('local-lvm:vm-2000-disk-0,size=20G')).toBe(true)
  expect(deletesWith('local-lvm:base-998-disk-0/vm-2000-disk-0,size=20G')).toBe(false)
  expect(deletesWith('local-lvm:base-9980-disk-0/vm-2000-disk-0,size=20G')).toBe(true)
})
