import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { ifSeen } from '../../src/cluster/seen.js'
import type { World } from '../../src/world.js'
import { byHand } from '../support/by-hand.js'
import { aStage, clusterYaml, type Stage, titlesOf } from '../support/lab.js'
import { bootstraps, whatIsThere } from '../support/left-behind.js'
import { etcdMembers, etcdNeverLostItsMajority } from '../support/quorum.js'

let stage: Stage
afterEach(() => stage.close())

type Size = Parameters<typeof clusterYaml>[0]

async function want(size: Size, edit: (yaml: string) => string = (yaml) => yaml): Promise<void> {
  await stage.write('cluster.yaml', edit(clusterYaml(size)))
}

async function settles(): Promise<void> {
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
}

/** The steps of these kinds in the order in which they were finished, each as `kind:machine`. */
function finished(kinds: readonly string[]): string[] {
  return stage.events.flatMap((event) => {
    if (event.type !== 'step.finished' || event.outcome !== 'done') return []
    const [kind = '', args = '{}'] = event.step.split('?')
    return kinds.includes(kind) ? [`${kind}:${JSON.parse(args).machine}`] : []
  })
}

test('one control plane becomes three, and the living cluster is given a VIP', async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1 }) } })
  await stage.up()
  await want({ controlPlanes: 3, workers: 1 })
  await settles()
  expect(ifSeen((await stage.plan()).observed.etcd)?.healthy).toHaveLength(3)
  const withVip = (vip: string) => (yaml: string) => yaml.replace('10.0.10.254', `10.0.10.254\n  vip: ${vip}`)
  const foreignVm = createServer()
  await stage.lab.network.listen(foreignVm, '10.0.10.6', 6443)
  await want({ controlPlanes: 3, workers: 1 }, withVip('10.0.10.6'))
  await expect(stage.plan()).rejects.toThrow('10.0.10.6, the address of the VIP, belongs to a host that responds')
  foreignVm.close()
  await want({ controlPlanes: 3, workers: 1 }, withVip('10.0.10.5'))
  expect(titlesOf((await stage.plan()).plan)).toEqual(expect.arrayContaining(['change the config of dev-cp-1']))
  await settles()
  const { desired } = await stage.plan()
  expect(desired.cluster.endpoint).toBe('https://10.0.10.5:6443')
  expect(stage.lab.network.resolve('10.0.10.5', 6443)).toBeDefined()
  expect(bootstraps(stage.lab)).toBe(1)
  etcdNeverLostItsMajority(stage.lab)
})

test('workers go from two to four to one: the others are drained, reset and deleted one at a time', async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 2 }) } })
  await stage.up()
  await want({ controlPlanes: 1, workers: 4 })
  await settles()
  await want({ controlPlanes: 1, workers: 1 })
  stage.events.splice(0)
  await settles()
  const kinds = ['drain-node', 'reset-machine', 'delete-node', 'delete-machine']
  const chain = (name: string) => kinds.map((kind) => `${kind}:${name}`)
  const order = finished(kinds)
  expect([...order].sort()).toEqual([...chain('dev-wk-2'), ...chain('dev-wk-3'), ...chain('dev-wk-4')].sort())
  const names = order.map((step) => step.split(':')[1])
  expect(names.filter((name, index) => name !== names[index - 1])).toHaveLength(3)
  const { observed } = await stage.plan()
  expect(
    ifSeen(observed.kubernetes)
      ?.nodes.map(({ name }) => name)
      .sort(),
  ).toEqual(['dev-cp-1', 'dev-wk-1'])
  expect(whatIsThere(stage.lab).vms).toHaveLength(2)
})

test('what would harm is refused: an even number of control planes, a protected machine', async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': clusterYaml({ controlPlanes: 3, workers: 2 }) } })
  await stage.up({ until: 'vms' })
  await want({ controlPlanes: 2, workers: 2 })
  await expect(stage.up()).rejects.toThrow('etcd needs an odd number of members')
  await want({ controlPlanes: 3, workers: 1, extra: 'protect: true\n' })
  await expect(stage.up()).rejects.toThrow('dev-wk-2 would be deleted, and is protected.')
  expect(whatIsThere(stage.lab).vms).toHaveLength(5)
})

test('more memory and processors: each machine is drained and restarted in its turn; disks grow in place', async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': clusterYaml({ workers: 2 }) } })
  await stage.up()
  const hand = await byHand(stage)
  const uuids = ifSeen((await stage.plan()).observed.kubernetes)?.nodes.map(({ systemUuid }) => systemUuid)
  await want({ workers: 2 }, (yaml) => yaml.replaceAll('cpu: 2, ram: 4GiB, disk: 20G', 'cpu: 4, ram: 8GiB, disk: 30G'))
  const { plan } = await stage.plan()
  expect(plan.steps.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining([
      'cpu 2 -> 4, ram 4 GiB -> 8 GiB, needs a restart',
      'disk scsi0 20 GiB -> 30 GiB, grows in place',
    ]),
  )
  stage.events.splice(0)
  await settles()
  const kinds = ['drain-node', 'restart-vm', 'await-back', 'uncordon-node']
  const order = finished(kinds)
  for (const [group, size] of Object.entries({ 'dev-cp': 3, 'dev-wk': 2 })) {
    const steps = order.filter((step) => step.includes(group))
    const names = [...new Set(steps.map((step) => step.split(':')[1]))]
    expect(names).toHaveLength(size)
    expect(steps).toEqual(names.flatMap((name) => kinds.map((kind) => `${kind}:${name}`)))
  }
  expect(await hand.options('dev-cp-2')).toMatchObject({ cores: '4', memory: '8192' })
  const nodes = ifSeen((await stage.plan()).observed.kubernetes)?.nodes ?? []
  expect(nodes.map(({ ready, unschedulable }) => ready && !unschedulable)).toEqual([true, true, true, true, true])
  expect(nodes.map(({ systemUuid }) => systemUuid)).toEqual(uuids)
  etcdNeverLostItsMajority(stage.lab)
})

test('five control planes become three, one of those that go is off and one was deleted by hand: nothing of them stays', async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': clusterYaml({ controlPlanes: 5, workers: 0 }) } })
  await stage.up()
  const hand = await byHand(stage)
  await hand.stop('dev-cp-4')
  await hand.remove('dev-cp-5')
  await want({ controlPlanes: 3, workers: 0 })
  await settles()
  expect(await etcdMembers(stage)).toEqual(['dev-cp-1', 'dev-cp-2', 'dev-cp-3'])
  expect(ifSeen((await stage.plan()).observed.kubernetes)?.nodes).toHaveLength(3)
})

test('a pod that comes to a node after its drain is moved before the node is wiped', async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 2 }) } })
  await stage.up()
  await want({ controlPlanes: 1, workers: 1 })
  // The scheduler had bound it before it heard of the cordon.
  const late = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'late', namespace: 'default' },
    spec: { nodeName: 'dev-wk-2', containers: [{ name: 'late', image: 'registry.k8s.io/pause:3.10' }] },
  }
  let isBound = false
  const through = (world: World): World => ({
    ...world,
    kubernetes: {
      ...world.kubernetes,
      at: (endpoints) => {
        const api = world.kubernetes.at(endpoints)
        const drain: typeof api.drain = async (node, options, signal) => {
          await api.drain(node, options, signal)
          if (isBound) return
          isBound = true
          await api.apply([late], { fieldManager: 'scheduler', force: true }, signal)
        }
        return { ...api, drain }
      },
    },
  })
  expect(await stage.up({ through })).toMatchObject({ outcome: 'done' })
  const calls = stage.lab.ledger.entries().filter(({ event }) => event === 'call')
  const evicted = calls.findIndex(({ subject }) => subject.endsWith('/pods/late/eviction'))
  const wiped = calls.findIndex(({ detail }) => /\/Reset$/.test(String(detail?.path)))
  expect(wiped).toBeGreaterThan(0)
  expect(evicted).toBeGreaterThan(0)
  expect(evicted).toBeLessThan(wiped)
})
