import { afterEach, expect, test } from 'vitest'
import { isCordonedByUs } from '../node/kubernetes-node.js'
import { createDirectDialer } from '../reach/direct.js'
import { startTestCluster, type TestCluster, type TestClusterOptions } from '../simulator/kubernetes/testing.js'
import type { Clock } from '../world.js'
import { approveKubeletCsrs } from './approve-kubelet-csrs.js'
import { connectKubernetes } from './connect.js'
import { KubernetesError } from './kubernetes-error.js'
import type { KubernetesApi, KubernetesObject } from './port.js'

const clusters: TestCluster[] = []
const signal = new AbortController().signal
const options = { fieldManager: 'ichor', force: true }
const waiting = { timeoutMs: 30_000 }

afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close()
})

function clockOf(cluster: TestCluster): Clock {
  return {
    now: () => cluster.clock.now(),
    monotonic: () => cluster.clock.now(),
    sleep: (ms, abort) => cluster.clock.sleep(ms, abort),
  }
}

async function start(
  given: TestClusterOptions = {},
): Promise<{ cluster: TestCluster; api: KubernetesApi; clock: Clock }> {
  const cluster = await startTestCluster(given)
  clusters.push(cluster)
  const clock = clockOf(cluster)
  const credentials = async () => ({ ca: cluster.ca.crt, ...cluster.admin })
  const port = connectKubernetes({ dialer: createDirectDialer(), clock, credentials })
  return { cluster, api: port.at([{ host: cluster.host, port: cluster.port }]), clock }
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`${what} did not come true`)
}

async function startWithNodes(names: readonly string[], given: TestClusterOptions = {}) {
  const started = await start(given)
  names.forEach((nodeName, index) => {
    started.cluster.addNode({ nodeName, addresses: [`10.0.10.${21 + index}`], rotateServerCertificates: true })
  })
  await until(
    'nodes are ready',
    async () => (await started.api.nodes(signal)).filter(({ ready }) => ready).length === names.length,
  )
  return started
}

async function untilRolledOut(api: KubernetesApi): Promise<void> {
  await until('the web is up', async () => {
    const live = await api.find({ apiVersion: 'apps/v1', kind: 'Deployment' }, 'shop', 'web', signal)
    const { replicas } = (live?.spec ?? {}) as { replicas?: number }
    const { readyReplicas } = (live?.status ?? {}) as { readyReplicas?: number }
    return readyReplicas !== undefined && readyReplicas === replicas
  })
}

const web = (replicas: number): KubernetesObject[] => [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
    },
  },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
]

const budget = (minAvailable: number): KubernetesObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { minAvailable, selector: { matchLabels: { app: 'web' } } },
})

test('nodes turn Ready with flannel and report their system UUID', async () => {
  const { api } = await startWithNodes(['wk-1'])
  expect(await api.nodes(signal)).toMatchObject([
    {
      name: 'wk-1',
      ready: true,
      systemUuid: '00000000-0000-8000-8000-000000000001',
      internalAddresses: ['10.0.10.21'],
    },
  ])
})

test('nodes stay NotReady without a CNI', async () => {
  const { cluster, api } = await start({ facts: { cni: 'none' } })
  cluster.addNode({ nodeName: 'wk-1' })
  await until('the node is there', async () => (await api.nodes(signal)).length === 1)
  await cluster.clock.sleep(60_000)
  expect((await api.nodes(signal))[0]?.ready).toBe(false)
})

test('apply makes namespaces first and rolls a Deployment out; the second time changes nothing', async () => {
  const { api } = await startWithNodes(['wk-1', 'wk-2'])
  await api.apply(web(2), options, signal)
  await untilRolledOut(api)
  const before = await api.find({ apiVersion: 'apps/v1', kind: 'Deployment' }, 'shop', 'web', signal)
  await api.apply(web(2), options, signal)
  const after = await api.find({ apiVersion: 'apps/v1', kind: 'Deployment' }, 'shop', 'web', signal)
  expect(after?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion)
})

test('drain waits for a disruption budget and moves the pods', async () => {
  const { api } = await startWithNodes(['wk-1', 'wk-2'])
  await api.apply([...web(2), budget(1)], options, signal)
  await untilRolledOut(api)
  await api.cordon('wk-1', signal)
  await api.drain('wk-1', { timeoutMs: 600_000 }, signal)
  const pods = await api.list({ apiVersion: 'v1', kind: 'Pod' }, 'shop', {}, signal)
  const nodes = pods.map((pod) => (pod.spec as { nodeName?: string }).nodeName)
  expect(nodes).not.toContain('wk-1')
})

test('a second drain moves what has come since, but for pods that the cordon does not keep away', async () => {
  const { api } = await startWithNodes(['wk-1'])
  const pod = (name: string, spec: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { nodeName: 'wk-1', containers: [{ name: 'one', image: 'registry.test/one' }], ...spec },
  })
  await api.cordon('wk-1', signal)
  await api.apply([pod('late'), pod('tolerant', { tolerations: [{ operator: 'Exists' }] })], options, signal)
  await api.drain('wk-1', { timeoutMs: 600_000, isAgain: true }, signal)
  const left = await api.list({ apiVersion: 'v1', kind: 'Pod' }, 'default', {}, signal)
  expect(left.map(({ metadata }) => metadata.name)).toEqual(['tolerant'])
})

test('drain gives up with the words of the budget that refuses', async () => {
  const { api } = await startWithNodes(['wk-1'])
  await api.apply([...web(1), budget(1)], options, signal)
  await untilRolledOut(api)
  await api.cordon('wk-1', signal)
  const failure = await api.drain('wk-1', { timeoutMs: 20_000 }, signal).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(KubernetesError)
  expect(failure).toMatchObject({ reason: 'DisruptionBudget', fix: expect.stringContaining('PodDisruptionBudget') })
})

test('only a cordon of ours is lifted', async () => {
  const { api, cluster } = await startWithNodes(['wk-1', 'wk-2'])
  await api.cordon('wk-1', signal)
  await api.apply(
    [{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'wk-2' }, spec: { unschedulable: true } }],
    options,
    signal,
  )
  await api.cordon('wk-2', signal)
  await api.uncordon('wk-1', waiting, signal)
  await api.uncordon('wk-2', waiting, signal)
  const nodes = await api.nodes(signal)
  expect(nodes.map(({ name, unschedulable }) => ({ name, unschedulable }))).toEqual([
    { name: 'wk-1', unschedulable: false },
    { name: 'wk-2', unschedulable: true },
  ])
  expect(cluster.ledger.entries().some(({ event }) => event === 'node.ready')).toBe(true)
})

test('taints of ours are replaced, those of others stay', async () => {
  const { api } = await startWithNodes(['wk-1'])
  await api.apply(
    [
      {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'wk-1' },
        spec: { taints: [{ key: 'theirs', effect: 'NoSchedule' }] },
      },
    ],
    options,
    signal,
  )
  await api.setNodeTaints('wk-1', [{ key: 'ours', value: 'a', effect: 'NoSchedule' }], signal)
  await api.setNodeTaints('wk-1', [{ key: 'ours', value: 'b', effect: 'NoExecute' }], signal)
  const [node] = await api.nodes(signal)
  expect(node?.taints.map(({ key, effect }) => `${key}:${effect}`)).toEqual(['theirs:NoSchedule', 'ours:NoExecute'])
})

const widgets: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

test('a custom resource is applied together with its definition, which takes a moment to be served', async () => {
  const { api } = await start()
  const widget = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'one', namespace: 'default' },
    spec: { size: 3 },
  }
  await api.apply([widget, widgets], options, signal)
  expect(await api.find({ apiVersion: 'example.com/v1', kind: 'Widget' }, 'default', 'one', signal)).toMatchObject({
    spec: { size: 3 },
  })
})

test('serving certificates are approved only for machines that ichor created', async () => {
  const { api } = await startWithNodes(['wk-1', 'wk-2'])
  await until('both have asked', async () => (await api.pendingCsrs(signal)).length === 2)
  const result = await approveKubeletCsrs(
    api,
    [
      { name: 'wk-1', addresses: ['10.0.10.21'] },
      { name: 'wk-2', addresses: ['10.0.10.99'] },
    ],
    signal,
  )
  expect(result.approved).toHaveLength(1)
  expect(result.left).toMatchObject([{ reason: expect.stringContaining('10.0.10.22') }])
  await until('the certificate is signed', async () => {
    const csrs = await api.list(
      { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' },
      undefined,
      {},
      signal,
    )
    return csrs.some((csr) => (csr.status as { certificate?: string }).certificate !== undefined)
  })
})

test.each([
  { fault: { kind: 'drop-answer' }, because: 'the answer is lost after the write' },
  { fault: { kind: 'refuse' }, because: 'the connection is refused' },
  {
    fault: { kind: 'status', status: 503, message: 'apiserver is shutting down' },
    because: 'the API server goes down',
  },
  { fault: { kind: 'cut-stream' }, because: 'the answer is cut' },
] as const)('a write is repeated when $because', async ({ fault }) => {
  const { api, cluster } = await start()
  cluster.faults.add({ match: { surface: 'kubernetes', method: 'PATCH' }, action: fault })
  await api.apply(
    [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data: { x: '1' } }],
    options,
    signal,
  )
  expect(await api.find({ apiVersion: 'v1', kind: 'ConfigMap' }, 'default', 'a', signal)).toMatchObject({
    data: { x: '1' },
  })
})

test('without a majority of etcd writes fail with the words of the real API', async () => {
  const { api, cluster } = await start({ speed: 2000 })
  await api.nodes(signal)
  cluster.setQuorum(false)
  const failure = await api
    .apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } }], options, signal)
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ message: expect.stringContaining('etcdserver: request timed out') })
})

test('a dead endpoint is passed over for one that answers', async () => {
  const { cluster, clock } = await start()
  const credentials = async () => ({ ca: cluster.ca.crt, ...cluster.admin })
  const port = connectKubernetes({ dialer: createDirectDialer(), clock, credentials })
  const api = port.at([
    { host: '127.255.255.254', port: 1 },
    { host: cluster.host, port: cluster.port },
  ])
  expect(await api.version(signal)).toBe('v1.33.3')
  await port.close()
})

test('drain deletes what a budget still holds when the time is up, if budgets are ignored', async () => {
  const { api } = await startWithNodes(['wk-1'])
  await api.apply([...web(1), budget(1)], options, signal)
  await untilRolledOut(api)
  await api.cordon('wk-1', signal)
  const notes: string[] = []
  const ignoring = { timeoutMs: 60_000, ignoresBudgets: true, onProgress: (line: string) => void notes.push(line) }
  await api.drain('wk-1', ignoring, signal)
  expect(notes).toContain('the time is up: pods that their budgets hold are deleted')
})

const attachmentKind = { apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment' }

const attachment = (name: string, nodeName: string): KubernetesObject => ({
  ...attachmentKind,
  metadata: { name },
  spec: { attacher: 'csi.test', nodeName, source: { persistentVolumeName: `pv-${name}` } },
})

/** A driver, and pods that each use a volume of their own. */
const stored = (kind: 'StatefulSet' | 'DaemonSet', name: string): KubernetesObject[] => {
  const claim = {
    metadata: { name: 'data', namespace: 'shop' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '1Gi' } } },
  }
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
  const containers = [{ name: 'db', image: 'registry.test/db', volumeMounts: [{ name: 'data', mountPath: '/data' }] }]
  const template = { metadata: { labels: { app: name } }, spec: { containers, volumes } }
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'csi.test' },
      spec: { attachRequired: true },
    },
    { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fast' }, provisioner: 'csi.test' },
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim },
    {
      apiVersion: 'apps/v1',
      kind,
      metadata: { name, namespace: 'shop' },
      spec: {
        selector: { matchLabels: { app: name } },
        ...(kind === 'StatefulSet' ? { replicas: 1, serviceName: name } : {}),
        template,
      },
    },
  ]
}

async function attachedNodes(api: KubernetesApi): Promise<[node: unknown, isAttached: unknown][]> {
  const found = await api.list(attachmentKind, undefined, {}, signal)
  return found.map(({ spec, status }) => [
    (spec as { nodeName?: string }).nodeName,
    (status as { attached?: boolean } | undefined)?.attached,
  ])
}

test('drain waits until the volumes of the pods are detached, and names those that are not', async () => {
  const { api } = await startWithNodes(['wk-1'])
  await api.cordon('wk-1', signal)
  await api.drain('wk-1', { timeoutMs: 600_000 }, signal)
  await api.apply([attachment('one', 'wk-1'), attachment('two', 'wk-2')], options, signal)
  const failing = api.drain('wk-1', { timeoutMs: 30_000 }, signal)
  await expect(failing).rejects.toThrow('pv-one is still attached to node wk-1 after 30 s.')
  await api.delete(attachmentKind, undefined, 'one', signal)
  await api.drain('wk-1', { timeoutMs: 600_000 }, signal)
})

test('drain does not wait for volumes of pods that stay', async () => {
  const { api } = await startWithNodes(['wk-1'])
  await api.apply(stored('DaemonSet', 'agent'), options, signal)
  await until('the volume is attached', async () => (await attachedNodes(api)).join() === 'wk-1,true')
  await api.cordon('wk-1', signal)
  await api.drain('wk-1', { timeoutMs: 600_000 }, signal)
  expect(await attachedNodes(api)).toEqual([['wk-1', true]])
})

test('the volumes of a drained node are detached, and attached again once it takes pods', async () => {
  const { api } = await startWithNodes(['wk-1', 'wk-2'])
  await api.apply(
    [
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'wk-2' }, spec: { unschedulable: true } },
      ...stored('StatefulSet', 'db'),
    ],
    options,
    signal,
  )
  await until('the volume is attached', async () => (await attachedNodes(api)).join() === 'wk-1,true')
  await api.cordon('wk-1', signal)
  await api.drain('wk-1', { timeoutMs: 600_000 }, signal)
  expect(await attachedNodes(api)).toEqual([])
  await api.uncordon('wk-1', { timeoutMs: 600_000 }, signal)
  expect(await attachedNodes(api)).toEqual([['wk-1', true]])
})

test('a pod with a volume that waited before the node was cordoned, or finds no place now, is not waited for to no end', async () => {
  const { api } = await startWithNodes(['wk-1', 'wk-2'])
  const [, , , , set] = stored('StatefulSet', 'db')
  const elsewhere = (name: string): KubernetesObject => {
    const spec = set?.spec as { template: { spec: object } }
    const template = { ...spec.template, spec: { ...spec.template.spec, nodeSelector: { disk: 'none' } } }
    return { ...set, metadata: { name, namespace: 'shop' }, spec: { ...spec, template } } as KubernetesObject
  }
  const isPending = (name: string) => async () => {
    const pod = await api.find({ apiVersion: 'v1', kind: 'Pod' }, 'shop', `${name}-0`, signal)
    return (pod?.status as { phase?: string } | undefined)?.phase === 'Pending'
  }
  await api.apply([...stored('StatefulSet', 'db').slice(0, 4), elsewhere('old')], options, signal)
  await until('it waits', isPending('old'))
  await api.cordon('wk-1', signal)
  const lines: string[] = []
  const patience = { timeoutMs: 30_000, onProgress: (line: string) => void lines.push(line) }
  await api.uncordon('wk-1', patience, signal)
  expect(lines).toEqual([])
  await api.cordon('wk-1', signal)
  await api.apply([elsewhere('new')], options, signal)
  await until('it waits', isPending('new'))
  await api.uncordon('wk-1', patience, signal)
  expect(lines).toEqual([
    'waiting for pods with volumes: shop/new-0',
    'shop/new-0 is still pending, and is not waited for any longer',
  ])
  expect((await api.nodes(signal)).map(isCordonedByUs)).toEqual([false, false])
})

test('volumes that fail to attach are named; the mark stays, so that the next run waits for them, too', async () => {
  const { api } = await startWithNodes(['wk-1'])
  await api.apply([attachment('old', 'wk-1')], options, signal)
  await api.cordon('wk-1', signal)
  await api.apply([attachment('one', 'wk-1')], options, signal)
  const failing = api.uncordon('wk-1', waiting, signal)
  await expect(failing).rejects.toThrow(
    'After wk-1 came back, volumes were not attached within 30 s: pv-one is not attached to wk-1.',
  )
  const left = await api.nodes(signal)
  expect(left[0]?.unschedulable).toBe(false)
  expect(left.map(isCordonedByUs)).toEqual([true])
  await api.delete(attachmentKind, undefined, 'one', signal)
  await api.uncordon('wk-1', waiting, signal)
  expect(
    (await api.nodes(signal)).map(({ annotations }) =>
      Object.keys(annotations).filter((key) => key.startsWith('ichor')),
    ),
  ).toEqual([[]])
})
