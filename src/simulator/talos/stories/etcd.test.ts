import { Code } from '@connectrpc/connect'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aCluster, type TestCluster } from '../testing/a-cluster.js'
import { aLab, type NodeClients, type TestLab, until } from '../testing/a-lab.js'
import { adminOf, aNode, bootstrap, collect, isOpen, specOf, stageOf } from '../testing/a-node.js'

let lab: TestLab
let cluster: TestCluster
beforeEach(async () => {
  lab = await aLab()
  cluster = aCluster('https://10.5.0.50:6443')
})
afterEach(() => lab.close())

async function threeControlPlanes() {
  const nodes = await Promise.all(
    [2, 3, 4].map((n) => aNode(lab, cluster, { name: `cp-${n}`, address: `10.5.0.${n}`, vip: '10.5.0.50' })),
  )
  const [first, second, third] = nodes
  if (first === undefined || second === undefined || third === undefined) throw new Error('Three nodes are needed.')
  await bootstrap(first)
  await until('three voters', async () => (await voters(first)).length === 3)
  return { nodes, first, second, third }
}

async function members(node: NodeClients) {
  const { messages } = await node.machine.etcdMemberList({})
  return messages[0]?.members ?? []
}

async function voters(node: NodeClients) {
  return (await members(node).catch(() => [])).filter(({ isLearner }) => !isLearner)
}

test('the others join by themselves, as learners first, and all agree on members and leader', async () => {
  const { nodes } = await threeControlPlanes()
  const statuses = await Promise.all(
    nodes.map(async ({ machine }) => (await machine.etcdStatus({})).messages[0]?.memberStatus),
  )
  expect(new Set(statuses.map((status) => status?.leader)).size).toBe(1)
  expect(new Set(statuses.map((status) => status?.memberId)).size).toBe(3)
  const joined = lab.ledger.entries().filter(({ event }) => event.startsWith('etcd.member-'))
  expect(joined.filter(({ event }) => event === 'etcd.member-promoted')).toHaveLength(2)
  expect(lab.ledger.entries().filter(({ event }) => event === 'etcd.bootstrapped')).toHaveLength(1)
})

test('with one of three left nothing is written, and with two it is', async () => {
  const { first, second, third } = await threeControlPlanes()
  await second.guest.powerOff()
  await expect(members(first)).resolves.toHaveLength(3)
  await third.guest.powerOff()
  await expect(members(first)).rejects.toMatchObject({ code: Code.Unavailable })
  const local = await first.machine.etcdMemberList({ queryLocal: true })
  expect(local.messages[0]?.members).toHaveLength(3)
})

test('a dead member is removed by its id, and a machine under its address joins only after that', async () => {
  const { first, third } = await threeControlPlanes()
  const dead = (await members(first)).find(({ hostname }) => hostname === 'cp-4')
  await third.guest.powerOff()
  const fresh = await aNode(lab, cluster, { name: 'cp-4', address: '10.5.0.4', vmid: 3500 })
  await until('its etcd waits', async () => {
    const { messages } = await fresh.machine.serviceList({})
    const etcd = messages[0]?.services.find(({ id }) => id === 'etcd')
    return etcd?.health?.lastMessage.includes('already been bootstrapped') ?? false
  })
  await expect(first.machine.etcdRemoveMemberByID({ memberId: 1n })).rejects.toMatchObject({ code: Code.NotFound })
  await first.machine.etcdRemoveMemberByID({ memberId: dead?.id ?? 0n })
  await until('it has joined', async () => (await voters(first)).length === 3)
})

test('leadership moves on request, and a member that leaves is gone', async () => {
  const { nodes, first } = await threeControlPlanes()
  const leaderId = (await first.machine.etcdStatus({})).messages[0]?.memberStatus?.leader
  const statuses = await Promise.all(nodes.map(async (node) => ({ node, status: await node.machine.etcdStatus({}) })))
  const leader = statuses.find(({ status }) => status.messages[0]?.memberStatus?.memberId === leaderId)?.node ?? first
  const answer = await leader.machine.etcdForfeitLeadership({})
  expect(answer.messages[0]?.member).not.toBe('')
  expect((await leader.machine.etcdForfeitLeadership({})).messages[0]?.member).toBe('')
  await leader.machine.etcdLeaveCluster({})
  const other = nodes.find((node) => node !== leader) ?? first
  expect(await members(other)).toHaveLength(2)
})

test('the VIP is held by one control plane and moves when that one dies', async () => {
  const { nodes } = await threeControlPlanes()
  await until('somebody holds it', () => lab.network.resolve('10.5.0.50', 6443) !== undefined)
  await until('Talos answers there as well', () => isOpen(lab, '10.5.0.50'))
  const held = () => lab.ledger.entries().filter(({ event }) => event === 'vip.held')
  const holder = nodes.find(({ uuid }) => uuid === held().at(-1)?.detail?.uuid)
  await holder?.guest.powerOff()
  await until('another holds it', () => held().length === 2 && lab.network.resolve('10.5.0.50', 6443) !== undefined)
  expect(held()[1]?.detail?.uuid).not.toBe(holder?.uuid)
})

test('a snapshot brings a cluster back whose etcd was lost', async () => {
  const first = await aNode(lab, cluster, { name: 'cp-2', address: '10.5.0.2' })
  await bootstrap(first)
  await until('it runs', async () => (await stageOf(first)) === 'running')
  const file = await collect(first.machine.etcdSnapshot({}))
  expect(file.length % 512).toBe(32)
  await first.machine.reset({
    graceful: false,
    reboot: true,
    systemPartitionsToWipe: [{ label: 'EPHEMERAL', wipe: true }],
  })
  await until('it goes down', () => !isOpen(lab, '10.5.0.2'))
  await until('it comes back', () => isOpen(lab, '10.5.0.2'))
  const again = adminOf(lab, cluster, '10.5.0.2')
  const upload = async function* (bytes: Buffer) {
    for (let at = 0; at < bytes.length; at += 4096) yield { bytes: bytes.subarray(at, at + 4096) }
  }
  const damaged = Buffer.from(file)
  damaged.fill(0, file.length - 32)
  await until('it takes the snapshot', async () => {
    return again.machine.etcdRecover(upload(damaged)).then(
      () => true,
      () => false,
    )
  })
  await expect(bootstrap(again, { recoverEtcd: true })).rejects.toThrow(/expected sha256/)
  await again.machine.etcdRecover(upload(file))
  await bootstrap(again, { recoverEtcd: true })
  await until('it runs again', async () => (await stageOf(again)) === 'running')
  const bootstraps = lab.ledger.entries().filter(({ event }) => event === 'etcd.bootstrapped')
  expect(bootstraps.map(({ detail }) => detail?.recovered)).toEqual([false, true])
})

test('alarms are listed until they are disarmed, and a slow etcd answers late', async () => {
  const first = await aNode(lab, cluster, { name: 'cp-2', address: '10.5.0.2' })
  await bootstrap(first)
  await until('it has a member', async () => (await voters(first)).length === 1)
  lab.guests.etcdAlarm(first.uuid, 'nospace')
  expect((await first.machine.etcdAlarmList({})).messages[0]?.memberAlarms).toHaveLength(1)
  await first.machine.etcdDefragment({})
  await first.machine.etcdAlarmDisarm({})
  expect((await first.machine.etcdAlarmList({})).messages[0]?.memberAlarms).toHaveLength(0)
  lab.guests.slowEtcd(first.uuid, 10_000_000)
  await expect(first.machine.etcdStatus({}, { timeoutMs: 50 })).rejects.toMatchObject({ code: Code.DeadlineExceeded })
})

test('a worker gets its certificate from a control plane, lists the members and has no etcd', async () => {
  await aNode(lab, cluster, { name: 'cp-2', address: '10.5.0.2' })
  const worker = await aNode(lab, cluster, { name: 'wk-1', address: '10.5.0.20', role: 'worker' })
  expect(await specOf(worker, 'cluster', 'Members.cluster.talos.dev', 'cp-2')).toMatchObject({
    machineType: 'controlplane',
  })
  await expect(worker.machine.etcdStatus({})).rejects.toMatchObject({ code: Code.Unimplemented })
  await expect(worker.machine.bootstrap({})).rejects.toMatchObject({ code: Code.Unimplemented })
  await expect(collect(worker.machine.kubeconfig({}))).rejects.toMatchObject({ code: Code.Unimplemented })
})
