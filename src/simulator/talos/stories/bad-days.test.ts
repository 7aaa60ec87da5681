import { Code } from '@connectrpc/connect'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchAvailability } from '../../core/availability.js'
import { aCluster, type TestCluster } from '../testing/a-cluster.js'
import { aLab, type NodeClients, type TestLab, until } from '../testing/a-lab.js'
import { adminOf, aNode, bootstrap, isOpen } from '../testing/a-node.js'

let lab: TestLab
let cluster: TestCluster
beforeEach(async () => {
  lab = await aLab()
  cluster = aCluster('https://10.5.0.50:6443')
})
afterEach(() => lab.close())

const etcdOf = async ({ machine }: NodeClients) => {
  const { messages } = await machine.serviceList({})
  return messages[0]?.services.find(({ id }) => id === 'etcd')
}

const canRead = (node: NodeClients) =>
  node.machine.etcdMemberList({}).then(
    () => true,
    () => false,
  )

async function threeControlPlanes() {
  const nodes = await Promise.all(
    [2, 3, 4].map((n) => aNode(lab, cluster, { name: `cp-${n}`, address: `10.5.0.${n}`, vip: '10.5.0.50' })),
  )
  const [first, second, third] = nodes
  if (first === undefined || second === undefined || third === undefined) throw new Error('Three nodes are needed.')
  await bootstrap(first)
  await until('three voters', async () => {
    const { messages } = await first.machine.etcdMemberList({}).catch(() => ({ messages: [] }))
    return messages[0]?.members.filter(({ isLearner }) => !isLearner).length === 3
  })
  return { first, second, third }
}

test('a control plane that is cut off from the others has no etcd and gives up the VIP, while they go on', async () => {
  const { first, second } = await threeControlPlanes()
  const availability = watchAvailability(lab.ledger, lab.clock, () => lab.guests.vitals())
  await until('the first holds the VIP', () => lab.guests.machines()[0]?.vips.length === 1)
  await until('somebody serves it', () => lab.guests.vitals().apis.every(({ isServed }) => isServed))
  expect(availability.apiOutages()).toEqual([])
  const cut = lab.network.cuts.add({ from: [first.address], to: ['10.5.0.3', '10.5.0.4'] })
  expect([await canRead(first), await canRead(second)]).toEqual([false, true])
  await until('its etcd is unwell', async () => (await etcdOf(first))?.health?.healthy === false)
  await until('another one holds the VIP', () =>
    lab.guests
      .machines()
      .slice(1)
      .some(({ vips }) => vips.length === 1),
  )
  expect(lab.guests.machines()[0]?.vips).toEqual([])
  const forwarded = second.machine.version({}, { headers: { node: first.address } })
  await expect(forwarded).rejects.toMatchObject({ code: Code.Unavailable })

  await until('it is served again', () => availability.apiOutages('10.5.0.50')[0]?.to !== undefined)
  expect(availability.apiOutages('dev')).toEqual([])
  expect(availability.etcdOutages()).toEqual([])
  lab.network.cuts.remove(cut)
  await until('it is well again', async () => (await etcdOf(first))?.health?.healthy === true)
})

test('the VIP of a machine that hangs moves to another one, and the ledger knows when it was out', async () => {
  const { first } = await threeControlPlanes()
  const availability = watchAvailability(lab.ledger, lab.clock, () => lab.guests.vitals())
  await until('somebody serves the VIP', () => lab.guests.vitals().apis.every(({ isServed }) => isServed))
  expect(availability.apiOutages()).toEqual([])
  const holder = lab.guests.machines().find(({ vips }) => vips.length === 1)
  lab.guests.hang(holder?.uuid ?? first.uuid)
  await until('it is served again', () => availability.apiOutages('10.5.0.50')[0]?.to !== undefined)
  expect(availability.apiOutages('10.5.0.50')).toHaveLength(1)
  expect(availability.etcdOutages()).toEqual([])
})

test('etcd does not start on corrupt data: Talos starts it for ever, and the member stays in the list', async () => {
  const { first, third } = await threeControlPlanes()
  const waits = async () => {
    const etcd = await etcdOf(third).catch(() => undefined)
    return etcd?.state === 'Waiting' && (etcd.events?.events.at(-1)?.msg ?? '').includes('exit code 2')
  }
  lab.guests.corruptEtcd(third.uuid)
  await until('its etcd has failed', waits)
  expect((await first.machine.etcdMemberList({})).messages[0]?.members).toHaveLength(3)
  await third.machine.reboot({})
  await until('it is back and fails again', waits)
})

test('etcd that was removed while it runs ends, and ends again with its data', async () => {
  const { first, third } = await threeControlPlanes()
  const members = (await first.machine.etcdMemberList({})).messages[0]?.members ?? []
  const memberId = members.find(({ hostname }) => hostname === 'cp-4')?.id ?? 0n
  await first.machine.etcdRemoveMemberByID({ memberId })
  await until('its etcd waits for the next start', async () => {
    const etcd = await etcdOf(third)
    return etcd?.state === 'Waiting' && (etcd.events?.events.at(-1)?.msg ?? '').includes('exited without error')
  })
  await expect(third.machine.etcdMemberList({ queryLocal: true })).rejects.toThrow('connection refused')
})

test('a graceful reset of a machine whose etcd does not start may wipe its disks, and leaves the member in the list', async () => {
  const { first, third } = await threeControlPlanes()
  lab.guests.corruptEtcd(third.uuid)
  await until('its etcd waits', async () => (await etcdOf(third))?.state === 'Waiting')
  await third.machine.reset({ graceful: true, reboot: false })
  await until('it is wiped, or has given up and reboots', () => !isOpen(lab, third.address))
  expect((await first.machine.etcdMemberList({})).messages[0]?.members).toHaveLength(3)
})

test('a machine whose disks are emptied boots nothing any more', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-2', address: '10.5.0.2' })
  lab.guests.wipe(node.uuid)
  await until('its API is gone', () => !isOpen(lab, '10.5.0.2'))
  expect(node.hardware.disks[0]?.content).toEqual({})
})

test('a lease that moves takes the machine along, and its API answers at the new address', async () => {
  const mac = 'BC:24:11:00:99:01'
  const config = cluster.config({ name: 'cp-1', mac })
  const { hardware } = lab.boot({ name: 'cp-1', mac, seed: { 'user-data': config } })
  await until('it has an address', () => isOpen(lab, '10.5.0.100'))
  lab.network.moveLease(mac, 'vmbr0', '10.5.0.177')
  await lab.guests.renewLeases(hardware.uuid)
  expect([isOpen(lab, '10.5.0.100'), isOpen(lab, '10.5.0.177')]).toEqual([false, true])
  const { messages } = await adminOf(lab, cluster, '10.5.0.177').machine.version({})
  expect(messages).toHaveLength(1)
})
