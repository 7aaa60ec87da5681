import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import {
  afterMishap,
  aWorld,
  carriedOut,
  type Mishap,
  planOf,
  specFor,
  stepName,
  stepNames,
} from '../../tests/support/worlds.js'
import { ifSeen, seen, unseen } from '../cluster/seen.js'
import type { NodeInfo } from '../kubernetes/port.js'
import type { Observed } from '../observe/observed.js'

const worker = 'dev-wk-1'

/** The steps planned for a worker that was a node before and joins again, and their dependencies. */
async function planAfter(mishaps: readonly Mishap[], change = (observed: Observed) => observed) {
  const hosts = ['pve1']
  const spec = specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts }))
  const empty = aWorld(hosts)
  const made = carriedOut(planOf(spec, empty).steps, spec(empty), empty)
  const after = change(mishaps.reduce((before, mishap) => afterMishap(before, worker, mishap), made))
  const { steps } = planOf(spec, after)
  const find = (kind: string) => steps.find(({ id }) => stepName(id) === `${kind}:${worker}`)
  return { restart: find('restart-kubelet'), join: find('join-node'), label: find('label-node') }
}

test('the kubelet of a machine whose node is gone is restarted, and then its node is awaited', async () => {
  const { restart, join } = await planAfter(['its node was deleted'])
  expect(restart).toMatchObject({ reason: 'its node is gone from Kubernetes', changes: true, disruptive: false })
  expect(join?.after.map(stepName)).toEqual([`restart-kubelet:${worker}`])
})

test('workers of a cluster that does not answer are waited for after their first control plane, which certifies them', async () => {
  const hosts = ['pve1']
  const spec = specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts }))
  const empty = aWorld(hosts)
  const { steps } = planOf(spec, empty)
  const waitsFor = (planned: typeof steps) =>
    planned.find(({ id }) => stepName(id) === `reach-machine:${worker}`)?.after.map(stepName)
  expect(waitsFor(steps)).toContain('reach-machine:dev-cp-1')
  const silent = afterMishap(carriedOut(steps, spec(empty), empty), worker, 'it does not answer')
  expect(waitsFor(planOf(spec, silent).steps)).toEqual([])
})

test('the node of an unwanted worker without a VM is removed as well, unless it is Ready elsewhere', async () => {
  const hosts = ['pve1']
  const two = specFor(await anInventory({ controlPlanes: 1, workers: 2, hosts }))
  const one = specFor(await anInventory({ controlPlanes: 1, workers: 1, hosts }))
  const empty = aWorld(hosts)
  const gone = afterMishap(carriedOut(planOf(two, empty).steps, two(empty), empty), 'dev-wk-2', 'it is gone')
  expect(stepNames(planOf(one, gone).steps)).toContain('delete-node:dev-wk-2')
  const kubernetes = ifSeen(gone.kubernetes)
  if (kubernetes === undefined) throw new Error('Kubernetes was seen')
  const nodes = kubernetes.nodes.map((node) => ({ ...node, ready: true }))
  expect(planOf(one, { ...gone, kubernetes: seen({ ...kubernetes, nodes }) }).steps).toEqual([])
})

test('a taint or role that is no longer in the inventory is removed; one set by hand stays', async () => {
  const taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' } as const
  const tainted = (annotations: Readonly<Record<string, string>>) => (observed: Observed) => {
    const labels = { 'node-role.kubernetes.io/gpu': '' }
    const withTaint = (node: NodeInfo) => ({ ...node, annotations, labels, taints: [taint] })
    const machines = observed.machines.map(({ node, ...machine }) => ({
      ...machine,
      ...(node === undefined ? {} : { node: withTaint(node) }),
    }))
    return { ...observed, machines }
  }
  expect((await planAfter([], tainted({}))).label).toBeUndefined()
  for (const annotations of [
    { 'ichor.dev/taints': 'dedicated:NoSchedule' },
    { 'ichor.dev/labels': 'node-role.kubernetes.io/gpu' },
  ])
    expect((await planAfter([], tainted(annotations))).label?.reason).toBe('its labels or taints differ')
})

function booting(observed: Observed): Observed {
  const machines = observed.machines.map((machine) =>
    machine.talos.reach === 'secured' ? { ...machine, talos: { ...machine.talos, stage: 'booting' } } : machine,
  )
  return { ...observed, machines }
}

function withoutKubernetes(observed: Observed): Observed {
  return { ...observed, kubernetes: unseen('no answer') }
}

test.each<[string, { mishaps: readonly Mishap[]; change?: (observed: Observed) => Observed; after: string }]>([
  ['it is started', { mishaps: ['it was switched off'], after: `reach-machine:${worker}` }],
  ['it is restarted', { mishaps: ['an option waits for a restart'], after: `await-back:${worker}` }],
  ['it is rebooted', { mishaps: ['its config was edited'], after: `await-back:${worker}` }],
  ['it does not answer', { mishaps: ['it does not answer'], after: `reach-machine:${worker}` }],
  ['it boots', { mishaps: [], change: booting, after: '' }],
  ['Kubernetes is not seen', { mishaps: [], change: withoutKubernetes, after: 'await-kubernetes' }],
])('a kubelet without a node is left alone where %s', async (_, { mishaps, change, after }) => {
  const { restart, join } = await planAfter(['its node was deleted', ...mishaps], change)
  expect(restart).toBeUndefined()
  expect(join?.after.map(stepName)).toEqual(after === '' ? [] : [after])
})
