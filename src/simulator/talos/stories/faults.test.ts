import { Code, ConnectError } from '@connectrpc/connect'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aCluster, type TestCluster } from '../testing/a-cluster.js'
import { aLab, credentialsOf, type TestLab, until } from '../testing/a-lab.js'
import { adminOf, aNode, collect, isOpen, stageOf } from '../testing/a-node.js'

let lab: TestLab
let cluster: TestCluster
let killed = 0
beforeEach(async () => {
  killed = 0
  lab = await aLab({ onKillCaller: () => killed++ })
  cluster = aCluster()
})
afterEach(() => lab.close())

const bootstraps = () => lab.ledger.entries().filter(({ event }) => event === 'etcd.bootstrapped')

test.each([
  { kind: 'refuse', acted: 0, kills: 0 },
  { kind: 'drop-answer', acted: 1, kills: 0 },
  { kind: 'kill-caller', acted: 1, kills: 1 },
] as const)(
  '$kind: the caller sees a broken connection, and the node has acted $acted times',
  async ({ kind, acted, kills }) => {
    const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
    await until('it can be bootstrapped', async () => {
      const { messages } = await node.machine.serviceList({})
      return messages[0]?.services.some(({ id }) => id === 'cri') ?? false
    })
    lab.faults.add({ match: { surface: 'talos', method: 'Bootstrap', machine: 'cp-1' }, action: { kind } })
    await expect(node.machine.bootstrap({})).rejects.toBeInstanceOf(ConnectError)
    expect(bootstraps()).toHaveLength(acted)
    expect(killed).toBe(kills)
  },
)

test('a status is answered as it was ordered, once', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  lab.faults.add({
    match: { method: 'Version' },
    action: { kind: 'status', status: Code.ResourceExhausted, message: 'busy' },
  })
  await expect(node.machine.version({})).rejects.toMatchObject({ code: Code.ResourceExhausted })
  await expect(node.machine.version({})).resolves.toBeDefined()
})

test('a stream is cut in the middle', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  lab.faults.add({ match: { method: 'Dmesg' }, action: { kind: 'cut-stream' } })
  await expect(collect(node.machine.dmesg({}))).rejects.toBeInstanceOf(ConnectError)
  await expect(collect(adminOf(lab, cluster, '10.5.0.2').machine.dmesg({}))).resolves.toBeDefined()
})

test('a hung node takes the call and does not answer until it wakes', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  lab.guests.hang(node.uuid)
  await expect(node.machine.version({}, { timeoutMs: 50 })).rejects.toMatchObject({ code: Code.DeadlineExceeded })
  lab.guests.hang(node.uuid, false)
  await expect(node.machine.version({})).resolves.toBeDefined()
})

test('a node whose clock is a year behind refuses fresh certificates, and is not in sync', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  await node.machine.version({})
  lab.guests.clockSkew(node.uuid, -365 * 24 * 3_600_000)
  await expect(node.machine.bootstrap({})).rejects.toMatchObject({ code: Code.FailedPrecondition })
  await expect(adminOf(lab, cluster, '10.5.0.2').machine.version({})).rejects.toBeInstanceOf(ConnectError)
})

test('an expired server certificate is noticed by the client', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  await lab.guests.expireCertificate(node.uuid)
  await expect(adminOf(lab, cluster, '10.5.0.2').machine.version({})).rejects.toBeInstanceOf(ConnectError)
  await lab.guests.expireCertificate(node.uuid, false)
  await expect(adminOf(lab, cluster, '10.5.0.2').machine.version({})).resolves.toBeDefined()
})

test('a node in an old slot after a reboot runs the old version', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  const image =
    'factory.talos.dev/nocloud-installer/ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515:v1.13.10'
  await until('it takes the upgrade', () =>
    node.machine.upgrade({ image, force: true }).then(
      () => true,
      () => false,
    ),
  )
  lab.guests.bootOldSlot(node.uuid)
  await until('it goes down', () => !isOpen(lab, '10.5.0.2'))
  await until('it comes back', () => isOpen(lab, '10.5.0.2'))
  const { messages } = await adminOf(lab, cluster, '10.5.0.2').machine.version({})
  expect(messages[0]?.version?.tag).toBe('v1.13.9')
})

test('the API can be closed while the machine runs', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  await lab.guests.closeApi(node.uuid)
  expect(isOpen(lab, '10.5.0.2')).toBe(false)
  await lab.guests.closeApi(node.uuid, false)
  expect(await stageOf(adminOf(lab, cluster, '10.5.0.2'))).toBe('booting')
})

test('a certificate that may serve as well as call is refused', async () => {
  await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  const both = credentialsOf(cluster.os, cluster.client(['os:admin'], undefined, ['client', 'server']))
  await expect(lab.clients('10.5.0.2', both).machine.version({})).rejects.toBeInstanceOf(ConnectError)
})
