import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSimClock } from '../../core/clock.js'
import { createFaults } from '../../core/faults.js'
import { createLedger } from '../../core/ledger.js'
import { createKubernetesKind } from '../../kubernetes/index.js'
import { readSnapshotFile } from '../etcd/snapshot-file.js'
import { aCluster, type TestCluster } from '../testing/a-cluster.js'
import { aLab, type NodeClients, type TestLab, until } from '../testing/a-lab.js'
import { adminOf, aNode, bootstrap, collect, isOpen, stageOf } from '../testing/a-node.js'

const schematic = 'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515'
const installer = (version: string) => `factory.talos.dev/nocloud-installer/${schematic}:${version}`

let lab: TestLab
let cluster: TestCluster
beforeEach(async () => {
  const clock = createSimClock({ speed: 300 })
  const faults = createFaults()
  const ledger = createLedger()
  lab = await aLab({ clock, faults, ledger, kubernetes: createKubernetesKind({ clock, faults, ledger }) })
  cluster = aCluster()
})
afterEach(() => lab.close())

async function controlPlanes(talos: string, count: number) {
  const nodes = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      aNode(lab, cluster, { name: `cp-${n + 2}`, address: `10.5.0.${n + 2}`, vm: { medium: { talos } } }),
    ),
  )
  const [first] = nodes
  if (first === undefined) throw new Error('A node is needed.')
  await bootstrap(first)
  for (const node of nodes) await until('it runs', async () => (await stageOf(node)) === 'running')
  return nodes
}

/** Runs the legacy upgrade and waits until the node runs again. */
function upgrade(address: string, version: string): Promise<NodeClients> {
  return restarted(address, ({ machine }) => machine.upgrade({ image: installer(version), force: true }))
}

function rollback(address: string): Promise<NodeClients> {
  return restarted(address, ({ machine }) => machine.rollback({}))
}

/** Its API is opened once more after that. */
async function restarted(address: string, act: (node: NodeClients) => Promise<unknown>): Promise<NodeClients> {
  const opened = () =>
    lab.ledger
      .entries()
      .filter(({ event, detail }) => event === 'api.opened' && JSON.stringify(detail).includes(`"${address}"`)).length
  const before = opened()
  await act(adminOf(lab, cluster, address))
  await until('it comes back', () => opened() > before && isOpen(lab, address))
  return adminOf(lab, cluster, address)
}

async function versionsOf({ machine }: NodeClients) {
  const { messages } = await machine.etcdStatus({})
  return [messages[0]?.memberStatus?.protocolVersion, messages[0]?.memberStatus?.storageVersion]
}

async function etcdOf({ machine }: NodeClients) {
  const { messages } = await machine.serviceList({})
  return messages[0]?.services.find(({ id }) => id === 'etcd')
}

test('etcd speaks the new version when all members run it; then an older Talos has no etcd until a downgrade', async () => {
  const nodes = await controlPlanes('v1.13.9', 3)
  expect(await versionsOf(nodes[0] as NodeClients)).toEqual(['3.6.12', '3.6.0'])
  for (const { address } of nodes) {
    const node = await upgrade(address, 'v1.14.1')
    await until('etcd runs', async () => (await etcdOf(node))?.health?.healthy === true)
  }
  const [one = '', other = ''] = nodes.map(({ address }) => address)
  const upgraded = adminOf(lab, cluster, one)
  await until('all agree', async () => (await versionsOf(upgraded))[1] === '3.7.0')
  const old = await rollback(one)
  await until('its etcd says why it fails', async () => {
    const message = (await etcdOf(old))?.health?.lastMessage ?? ''
    return message.includes('lower than determined cluster version')
  })

  const still = adminOf(lab, cluster, other)
  await expect(still.machine.etcdDowngradeValidate({ version: '3.4.0' })).rejects.toThrow(/invalid downgrade target/)
  await still.machine.etcdDowngradeEnable({ version: '3.6.0' })
  await expect(still.machine.etcdDowngradeEnable({ version: '3.6.0' })).rejects.toThrow(/in progress/)
}, 20_000)

test('with a downgrade enabled, members go back one after the other, and it ends by itself', async () => {
  const [{ address } = { address: '' }] = await controlPlanes('v1.14.1', 1)
  const node = await upgrade(address, 'v1.13.9')
  await until('its etcd fails', async () => (await etcdOf(node))?.state === 'Failed')
  const back = await rollback(address)
  await until('etcd runs', async () => (await etcdOf(back))?.health?.healthy === true)
  await back.machine.etcdDowngradeEnable({ version: '3.6.0' })
  await until('it is lowered', async () => (await versionsOf(back))[1] === '3.6.0')
  const lowered = await rollback(address)
  await until('etcd runs again', async () => (await etcdOf(lowered))?.health?.healthy === true)
  await expect(lowered.machine.etcdDowngradeCancel({})).rejects.toThrow(/no inflight downgrade/)
}, 20_000)

test('before 1.11 etcd cannot be downgraded over the API', async () => {
  const [node] = await controlPlanes('v1.10.9', 1)
  await expect(node?.machine.etcdDowngradeValidate({ version: '3.4.0' })).rejects.toThrow(/unknown method/)
})

test('the old upgrade cordons and drains the node itself, and uncordons it afterwards', async () => {
  const plain = cluster
  const inlineManifests = [{ name: 'web', contents: JSON.stringify(web) }]
  cluster = {
    ...plain,
    config: (input) => plain.config(input.role === 'worker' ? input : { ...input, cluster: { inlineManifests } }),
  }
  await controlPlanes('v1.12.11', 1)
  const vm = { medium: { talos: 'v1.12.11' } }
  const worker = await aNode(lab, cluster, { name: 'wk-1', address: '10.5.0.20', role: 'worker', vm })
  await until('its pod runs', () => isIn(/"app":"web".*"phase":"Running"/))
  await restarted('10.5.0.20', async () => {
    await worker.machine.upgrade({ image: installer('v1.13.9') })
    await until('it is cordoned', () => isIn(/"name":"wk-1".*"unschedulable":true/))
  })
  const evicted = lab.ledger.entries().filter(({ event }) => event === 'pod.evicted')
  expect(evicted.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^default\/web-/)])
  await until('it is uncordoned', async () => !(await isIn(/"name":"wk-1".*"unschedulable":true/)))
})

/** Whether etcd has such an object. */
async function isIn(pattern: RegExp): Promise<boolean> {
  const file = await collect(adminOf(lab, cluster, '10.5.0.2').machine.etcdSnapshot({}))
  return readSnapshotFile(file)?.content.records.some(({ value }) => pattern.test(value)) ?? false
}

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
  },
}
