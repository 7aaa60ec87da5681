import { expect, test } from 'vitest'
import { fake } from '../../tests/support/fake.js'
import { createClock } from '../clock.js'
import { drainNode } from './drain.js'
import { nodeInfoOf, setNodeTaints } from './nodes.js'
import type { ObjectCalls } from './object-calls.js'
import type { KubernetesObject } from './port.js'
import type { Transport } from './transport.js'

const signal = AbortSignal.timeout(5000)
const aPod = (name: string, metadata: object = {}, phase = 'Running') =>
  fake<KubernetesObject>({ metadata: { name, namespace: 'apps', uid: name, ...metadata }, status: { phase } })

test('a drain evicts what can run elsewhere, and neither DaemonSets, mirror pods nor what has ended', async () => {
  let pods = [
    aPod('web'),
    aPod('agent', { ownerReferences: [{ kind: 'DaemonSet', controller: true }] }),
    aPod('kube-apiserver', { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
    aPod('job', {}, 'Succeeded'),
    aPod('crashed', {}, 'Failed'),
  ]
  const evicted: string[] = []
  const objects = fake<ObjectCalls>({ list: async () => pods })
  const json = async ({ path }: { path: string }) => {
    const name = path.split('/').at(-2) ?? ''
    evicted.push(name)
    pods = pods.filter(({ metadata }) => metadata.name !== name)
  }
  const tools = { objects, transport: fake<Transport>({ json }), clock: createClock(1000) }
  await drainNode(tools, 'wk-1', { timeoutMs: 60_000 }, signal)
  expect(evicted).toEqual(['web'])
})

test('a node is Ready by its own condition, whatever else is true of it', () => {
  const conditions = (ready: string) => [
    { type: 'MemoryPressure', status: 'True' },
    { type: 'Ready', status: ready },
  ]
  const nodeOf = (ready: string) => ({ metadata: {}, status: { conditions: conditions(ready) } })
  const readiness = ['True', 'False', 'Unknown'].map((ready) => {
    return nodeInfoOf(fake<KubernetesObject>(nodeOf(ready))).ready
  })
  expect(readiness).toEqual([true, false, false])
})

test('taints are written with the version that was read: concurrent changes are not lost', async () => {
  const bodies: unknown[] = []
  const objects = fake<ObjectCalls>({
    find: async () =>
      fake<KubernetesObject>({
        metadata: { resourceVersion: '7' },
        spec: { taints: [{ key: 'theirs', effect: 'NoExecute' }] },
      }),
    patch: async (_kind: unknown, _space: unknown, _name: unknown, body: unknown) => void bodies.push(body),
  })
  await setNodeTaints(objects, 'wk-1', [{ key: 'ours', effect: 'NoSchedule' }], signal)
  expect(bodies).toMatchObject([
    { metadata: { resourceVersion: '7' }, spec: { taints: [{ key: 'theirs' }, { key: 'ours' }] } },
  ])
})
