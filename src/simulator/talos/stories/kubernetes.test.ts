import { request } from 'node:https'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createSimClock } from '../../core/clock.js'
import { createFaults } from '../../core/faults.js'
import { createLedger } from '../../core/ledger.js'
import { createKubernetesKind } from '../../kubernetes/index.js'
import { aCluster } from '../testing/a-cluster.js'
import { aLab, type NodeClients, type TestLab, until } from '../testing/a-lab.js'
import { aNode, bootstrap, collect, specOf } from '../testing/a-node.js'

let lab: TestLab
afterEach(() => lab.close())

async function aLabWithKubernetes() {
  const clock = createSimClock({ speed: 300 })
  const around = { clock, faults: createFaults(), ledger: createLedger() }
  return aLab({ ...around, kubernetes: createKubernetesKind(around) })
}

/** The names of ready nodes, from the API server on that lab address. */
async function readyNodes(node: NodeClients, address: string): Promise<string[]> {
  const { items = [] } = JSON.parse(await asAdmin(node, address, 'GET', '/api/v1/nodes'))
  return items.filter(isReady).map(({ metadata }: { metadata: { name: string } }) => metadata.name)
}

/** The response of the API server on that lab address to the admin of the kubeconfig. */
async function asAdmin(node: NodeClients, address: string, method: string, path: string): Promise<string> {
  const archive = gunzipSync(await collect(node.machine.kubeconfig({})))
  const { clusters, users } = parse(archive.toString('utf8', 512))
  const decode = (text: string) => Buffer.from(text, 'base64').toString()
  const target = lab.network.resolve(address, 6443)
  if (target === undefined) return '{}'
  const options = {
    ...target,
    method,
    path,
    ca: decode(clusters[0].cluster['certificate-authority-data']),
    cert: decode(users[0].user['client-certificate-data']),
    key: decode(users[0].user['client-key-data']),
  }
  return ask(options)
}

function isReady({ status }: { status?: { conditions?: { type: string; status: string }[] } }): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false
}

function ask(options: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(options, (response) => {
      let text = ''
      response.on('data', (piece) => {
        text += piece
      })
      response.on('end', () => resolve(text))
    })
    call.on('error', reject).end()
  })
}

test('nodes of a bootstrapped cluster turn ready in Kubernetes, and so do their machines; one that was deleted stays away until its kubelet starts', async () => {
  lab = await aLabWithKubernetes()
  const cluster = aCluster()
  const first = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  const worker = await aNode(lab, cluster, { name: 'wk-1', address: '10.5.0.20', role: 'worker' })
  await bootstrap(first)
  await until('both nodes are ready', async () => (await readyNodes(first, '10.5.0.2').catch(() => [])).length === 2)
  const isMachineReady = async (node: NodeClients) =>
    (await specOf(node, 'runtime', 'MachineStatuses.runtime.talos.dev', 'machine'))?.status.ready
  await until('both machines are ready', async () =>
    (await Promise.all([first, worker].map(isMachineReady))).every((ready) => ready),
  )
  await asAdmin(first, '10.5.0.2', 'DELETE', '/api/v1/nodes/wk-1')
  await until('the machine of a deleted node is not ready', async () => !(await isMachineReady(worker)))
  expect(await readyNodes(first, '10.5.0.2')).toEqual(['cp-1'])
  await worker.machine.serviceRestart({ id: 'kubelet' })
  await until('a kubelet that starts registers again', async () => (await isMachineReady(worker)) === true)
  expect(await readyNodes(first, '10.5.0.2')).toEqual(['cp-1', 'wk-1'])
  await worker.guest.powerOff()
  await until('the dead node is not ready', async () => (await readyNodes(first, '10.5.0.2')).join() === 'cp-1')
})

test('what an etcd snapshot holds is what Kubernetes knows after the recovery', async () => {
  lab = await aLabWithKubernetes()
  const cluster = aCluster()
  const first = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  await bootstrap(first)
  await until('its node is ready', async () => (await readyNodes(first, '10.5.0.2').catch(() => [])).length === 1)
  const file = await collect(first.machine.etcdSnapshot({}))
  expect(file.toString('utf8')).toContain('cp-1')
})
