import { request } from 'node:https'
import { isDeepStrictEqual } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import {
  makeCa,
  makeClientCertificate,
  type Pem,
  startTestCluster,
  type TestCluster,
  type TestClusterOptions,
} from './testing.js'

const clusters: TestCluster[] = []

afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close()
})

async function start(options: TestClusterOptions = {}): Promise<TestCluster> {
  const cluster = await startTestCluster(options)
  clusters.push(cluster)
  return cluster
}

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

interface Ask {
  readonly method?: string
  readonly body?: object
  readonly as?: Pem | null
  readonly headers?: Readonly<Record<string, string>>
}

function ask(
  cluster: TestCluster,
  path: string,
  { method = 'GET', body, as = cluster.admin, headers = {} }: Ask = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const identity = as === null ? {} : { cert: as.crt, key: as.key }
    const call = request(
      {
        host: cluster.host,
        port: cluster.port,
        path,
        method,
        ca: cluster.ca.crt,
        agent: false,
        headers: { 'content-type': 'application/json', ...headers },
        ...identity,
      },
      (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: text.startsWith('{') ? JSON.parse(text) : { text } }),
        )
      },
    )
    call.on('error', reject)
    call.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`${what} did not come true`)
}

async function readyNodes(cluster: TestCluster): Promise<string[]> {
  const { body } = await ask(cluster, '/api/v1/nodes')
  const items = body.items as {
    metadata: { name: string }
    status: { conditions: { type: string; status: string }[] }
  }[]
  return items
    .filter((node) => node.status.conditions.some(({ type, status }) => type === 'Ready' && status === 'True'))
    .map((node) => node.metadata.name)
}

describe('authentication', () => {
  test.each([
    { path: '/readyz', status: 200 },
    { path: '/livez', status: 200 },
    { path: '/version', status: 401 },
    { path: '/api/v1/nodes', status: 401 },
  ])('without a certificate $path is answered with $status', async ({ path, status }) => {
    expect((await ask(await start(), path, { as: null })).status).toBe(status)
  })

  test('a certificate of another CA is rejected', async () => {
    const cluster = await start()
    const foreignVm = await makeClientCertificate(await makeCa(), 'O=system:masters, CN=admin')
    expect((await ask(cluster, '/api/v1/nodes', { as: foreignVm })).status).toBe(401)
  })

  test('a user without a role is forbidden, in the words of the real API', async () => {
    const cluster = await start()
    const user = await makeClientCertificate(cluster.ca, 'O=developers, CN=ann')
    const { status, body } = await ask(cluster, '/api/v1/nodes', { as: user })
    expect({ status, message: body.message }).toEqual({
      status: 403,
      message: 'nodes is forbidden: User "ann" cannot list resource "nodes" in API group "" at the cluster scope',
    })
  })
})

test('a kubelet that stops is noticed after forty seconds, and its pods start elsewhere after five minutes', async () => {
  const cluster = await start({ speed: 1000 })
  const first = cluster.addNode({ nodeName: 'wk-1' })
  cluster.addNode({ nodeName: 'wk-2' })
  await until('both are ready', async () => (await readyNodes(cluster)).length === 2)
  expect(first.isNodeReady).toBe(true)
  first.stop()
  await until('one is lost', async () => (await readyNodes(cluster)).length === 1)
  await until('CoreDNS runs on the other', async () => {
    const { body } = await ask(cluster, '/api/v1/pods?labelSelector=k8s-app=kube-dns')
    const pods = body.items as { spec: { nodeName?: string }; metadata: { deletionTimestamp?: string } }[]
    return (
      pods.filter((pod) => pod.spec.nodeName === 'wk-2' && pod.metadata.deletionTimestamp === undefined).length === 2
    )
  })
})

test('a node that is deleted stays away until its kubelet starts again', async () => {
  const cluster = await start({ speed: 1000 })
  const kubelet = cluster.addNode({ nodeName: 'wk-1' })
  await until('it is ready', async () => (await readyNodes(cluster)).length === 1)
  await ask(cluster, '/api/v1/nodes/wk-1', { method: 'DELETE' })
  await cluster.clock.sleep(30_000)
  expect((await ask(cluster, '/api/v1/nodes/wk-1')).status).toBe(404)
  kubelet.stop()
  cluster.addNode({ nodeName: 'wk-1' })
  await until('it is back', async () => (await readyNodes(cluster)).length === 1)
})

test('a control plane whose config allows workloads loses the taint of control planes, and no other', async () => {
  const cluster = await start({ speed: 1000 })
  const taint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }
  const taintsOf = async () => {
    const { body } = await ask(cluster, '/api/v1/nodes/cp-1')
    return (body.spec as { taints?: { key: string }[] }).taints?.map(({ key }) => key) ?? []
  }
  const kubelet = cluster.addNode({
    nodeName: 'cp-1',
    role: 'controlplane',
    taints: [taint, { ...taint, key: 'mine' }],
  })
  await until('it is ready', async () => (await readyNodes(cluster)).length === 1)
  expect(await taintsOf()).toEqual([taint.key, 'mine'])
  kubelet.stop()
  cluster.addNode({ nodeName: 'cp-1', role: 'controlplane', taints: [{ ...taint, key: 'mine' }] })
  await until('the taint is gone', async () => !(await taintsOf()).includes(taint.key))
  expect(await taintsOf()).toEqual(['mine'])
})

test('a snapshot holds everything, and a cluster goes on from it', async () => {
  const cluster = await start()
  cluster.addNode({ nodeName: 'wk-1' })
  await ask(cluster, '/api/v1/namespaces/default/configmaps', {
    method: 'POST',
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' }, data: { a: '1' } },
  })
  await until('it is ready', async () => (await readyNodes(cluster)).length === 1)
  const snapshot: unknown = JSON.parse(JSON.stringify(cluster.store.save()))
  const restored = await start({ snapshot, ca: cluster.ca })
  expect((await ask(restored, '/api/v1/namespaces/default/configmaps/kept')).body.data).toEqual({ a: '1' })
  expect((await ask(restored, '/api/v1/nodes/wk-1')).status).toBe(200)
})

test('what etcd holds is under the keys that API servers use, and a cluster recovers from it', async () => {
  const cluster = await start()
  cluster.addNode({ nodeName: 'wk-1' })
  await until('it is ready', async () => (await readyNodes(cluster)).length === 1)
  const content = cluster.store.content()
  const keys = content.records.map(({ key }) => key)
  expect(keys).toEqual(
    expect.arrayContaining(['/registry/minions/wk-1', '/registry/services/specs/default/kubernetes']),
  )
  expect(content.records.at(-1)?.modRevision).toBe(content.revision)
  const recovered = await start({ recovered: content, ca: cluster.ca })
  const [before, after] = [await ask(cluster, '/api/v1/nodes/wk-1'), await ask(recovered, '/api/v1/nodes/wk-1')]
  expect(after.body).toMatchObject({ metadata: { uid: (before.body.metadata as { uid: string }).uid } })
  expect((await ask(recovered, '/apis/apps/v1/namespaces/kube-system/daemonsets')).body.items).not.toEqual([])
})

test('inline manifests of Talos are there once the API answers', async () => {
  const contents =
    'apiVersion: v1\nkind: Namespace\nmetadata: {name: early}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: early}\n'
  const cluster = await start({ facts: { inlineManifests: [{ name: 'early', contents }] } })
  expect((await ask(cluster, '/api/v1/namespaces/early/configmaps/a')).status).toBe(200)
})

describe('with an external cloud provider', () => {
  test('nodes are uninitialized until the cloud controller runs', async () => {
    const cluster = await start({ speed: 1000 })
    cluster.addNode({ nodeName: 'wk-1', externalCloudProvider: true })
    await until('it is ready', async () => (await readyNodes(cluster)).length === 1)
    const { body } = await ask(cluster, '/api/v1/nodes/wk-1')
    expect((body.spec as { taints: { key: string }[] }).taints.map(({ key }) => key)).toContain(
      'node.cloudprovider.kubernetes.io/uninitialized',
    )
  })

  test('the cloud controller names the host as zone and the VM in the provider id, in its own region', async () => {
    const cluster = await start({ speed: 1000 })
    cluster.addNode({
      nodeName: 'wk-1',
      externalCloudProvider: true,
      placement: () => ({ host: 'pve2', vmid: 2003 }),
    })
    const labels = { 'app.kubernetes.io/name': 'proxmox-cloud-controller-manager' }
    const config = Buffer.from(JSON.stringify({ clusters: [{ region: 'home' }] })).toString('base64')
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'ccm', labels },
      data: { 'config.yaml': config },
    }
    await ask(cluster, '/api/v1/namespaces/kube-system/secrets', { method: 'POST', body: secret })
    const spec = { containers: [{ name: 'ccm', image: 'ccm' }], tolerations: [{ operator: 'Exists' }] }
    const template = { metadata: { labels }, spec }
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'ccm' },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    }
    await ask(cluster, '/apis/apps/v1/namespaces/kube-system/deployments', { method: 'POST', body: deployment })
    const node = async () => (await ask(cluster, '/api/v1/nodes/wk-1')).body
    await until('it is initialized', async () => JSON.stringify(await node()).includes('providerID'))
    expect(await node()).toMatchObject({
      metadata: { labels: { 'topology.kubernetes.io/region': 'home', 'topology.kubernetes.io/zone': 'pve2' } },
      spec: { providerID: 'proxmox://home/2003' },
    })
  })
})

test('a Deployment keeps its revisions, and an earlier one becomes the newest again', async () => {
  const cluster = await start({ speed: 1000 })
  const sets = '/apis/apps/v1/namespaces/default/replicasets'
  const path = '/apis/apps/v1/namespaces/default/deployments'
  const labels = { app: 'web' }
  const templateOf = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: 'web', image }] } })
  const deploymentOf = (image: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 0, selector: { matchLabels: labels }, template: templateOf(image) },
  })
  const revisionKey = 'deployment.kubernetes.io/revision'
  interface Set {
    metadata: { generation: number; annotations?: Record<string, string> }
    spec: { template: { spec: { containers: { image: string }[] } } }
    status: { observedGeneration?: number }
  }
  const revisions = async () => {
    const { items } = (await ask(cluster, sets)).body as unknown as { items: Set[] }
    expect(items.every(({ metadata, status }) => status.observedGeneration === metadata.generation)).toBe(true)
    return Object.fromEntries(
      items.map(({ metadata, spec }) => [spec.template.spec.containers[0]?.image, metadata.annotations?.[revisionKey]]),
    )
  }
  const change = (image: string) => ask(cluster, `${path}/web`, { method: 'PUT', body: deploymentOf(image) })
  const has = (wanted: object) => async () => isDeepStrictEqual(await revisions(), wanted)
  await ask(cluster, path, { method: 'POST', body: deploymentOf('web:1') })
  await until('there is a first revision', has({ 'web:1': '1' }))
  await change('web:2')
  await until('there is a second one', has({ 'web:1': '1', 'web:2': '2' }))
  await change('web:1')
  await until('the first one is the newest', has({ 'web:1': '3', 'web:2': '2' }))
  const { metadata } = (await ask(cluster, `${path}/web`)).body as unknown as Set
  expect(metadata.annotations?.[revisionKey]).toBe('3')
})

test('a fault can kill the caller after the write, and the ledger knows the call', async () => {
  let killed = 0
  const cluster = await start({ onKillCaller: () => killed++ })
  cluster.faults.add({ match: { surface: 'kubernetes', nthMutating: 1 }, action: { kind: 'kill-caller' } })
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'written' } }
  await expect(ask(cluster, '/api/v1/namespaces/default/configmaps', { method: 'POST', body })).rejects.toThrow()
  expect(killed).toBe(1)
  expect((await ask(cluster, '/api/v1/namespaces/default/configmaps/written')).status).toBe(200)
  const calls = cluster.ledger.entries().filter(({ event, mutating }) => event === 'call' && mutating)
  expect(calls.map(({ subject }) => subject)).toEqual(['POST /api/v1/namespaces/default/configmaps'])
})

test('who asks, and what they may do, is judged for the caller and for whom it speaks', async () => {
  const cluster = await start()
  const reader = await makeClientCertificate(cluster.ca, 'O=readers, CN=ann')
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }]
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reads' }
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  const role = { apiVersion, kind: 'ClusterRole', metadata: { name: 'reads' }, rules }
  expect((await ask(cluster, `${rbac}/clusterroles`, { method: 'POST', body: role })).status).toBe(201)
  const subjects = [{ kind: 'Group', name: 'readers', apiGroup: 'rbac.authorization.k8s.io' }]
  const binding = { apiVersion, kind: 'ClusterRoleBinding', metadata: { name: 'reads' }, roleRef, subjects }
  expect((await ask(cluster, `${rbac}/clusterrolebindings`, { method: 'POST', body: binding })).status).toBe(201)
  const who = { method: 'POST', body: {}, as: reader }
  expect((await ask(cluster, '/apis/authentication.k8s.io/v1/selfsubjectreviews', who)).body).toMatchObject({
    status: { userInfo: { username: 'ann', groups: ['readers', 'system:authenticated'] } },
  })
  const may = async (verb: string, as: Pem) => {
    const body = { spec: { resourceAttributes: { verb, resource: 'pods' } } }
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
    return (await ask(cluster, path, { method: 'POST', body, as })).body.status
  }
  expect([await may('list', reader), await may('delete', reader), await may('delete', cluster.admin)]).toEqual([
    { allowed: true },
    { allowed: false },
    { allowed: true },
  ])
  const speaks = (as: Pem) =>
    ask(cluster, '/api/v1/secrets', { as, headers: { 'impersonate-user': 'bob', 'impersonate-group': 'readers' } })
  expect((await speaks(cluster.admin)).body.message).toContain('User "bob" cannot list resource "secrets"')
  expect((await speaks(reader)).body.message).toContain('User "ann" cannot impersonate resource "users"')
})

test('a command in a pod is refused as not simulated, and not as a pod that is missing', async () => {
  const cluster = await start()
  const containers = [{ name: 'a', image: 'busybox' }]
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'shell' }, spec: { containers } }
  expect((await ask(cluster, '/api/v1/namespaces/default/pods', { method: 'POST', body: pod })).status).toBe(201)
  const exec = (name: string) =>
    ask(cluster, `/api/v1/namespaces/default/pods/${name}/exec?command=sh`, { method: 'POST' })
  expect((await exec('shell')).body.message).toBe('the lab runs no containers: exec is not simulated')
  expect((await exec('nobody')).body.message).toBe('pods "nobody" not found')
})

test('unknown requests are refused', async () => {
  const { status, body } = await ask(await start(), '/apis/example.com/v1/widgets')
  expect({ status, reason: body.reason }).toEqual({ status: 404, reason: 'NotFound' })
})

test('the memory of nodes is served by metrics-server, while it runs', async () => {
  const cluster = await start()
  cluster.addNode({ nodeName: 'wk-1' })
  const nodes = '/apis/metrics.k8s.io/v1beta1/nodes'
  const status = async () => (await ask(cluster, nodes)).status
  expect(await status()).toBe(404)
  const spec = {
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    service: { name: 'metrics-server', namespace: 'kube-system' },
    groupPriorityMinimum: 100,
    versionPriority: 100,
  }
  const service = {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1beta1.metrics.k8s.io' },
    spec,
  }
  await ask(cluster, '/apis/apiregistration.k8s.io/v1/apiservices', { method: 'POST', body: service })
  expect(await status()).toBe(503)
  const labels = { app: 'metrics-server' }
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'metrics-server', namespace: 'kube-system' },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    },
  }
  await ask(cluster, '/apis/apps/v1/namespaces/kube-system/deployments', { method: 'POST', body: deployment })
  await until('metrics-server runs', async () => (await status()) === 200)
  const { items } = (await ask(cluster, nodes)).body as { items: { metadata: object; usage: { memory: string } }[] }
  expect(items).toMatchObject([{ metadata: { name: 'wk-1' }, usage: { memory: expect.stringMatching(/^\d+Ki$/) } }])
})
