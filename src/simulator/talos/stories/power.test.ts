import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aCluster, type TestCluster } from '../testing/a-cluster.js'
import { aLab, type TestLab, until } from '../testing/a-lab.js'
import { adminOf, aNode, bootstrap, isOpen, stageOf } from '../testing/a-node.js'

let lab: TestLab
let cluster: TestCluster
beforeEach(async () => {
  lab = await aLab()
  cluster = aCluster()
})
afterEach(() => lab.close())

test('a machine that is reset in the middle of its boot, again and again, comes up once', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  await bootstrap(node)
  await until('it runs', async () => (await stageOf(node)) === 'running')
  for (let modelMs = 1000; modelMs < 50_000; modelMs += 2500) {
    await node.guest.reset()
    await lab.clock.sleep(modelMs)
  }
  const before = lab.ledger.entries().length
  await node.guest.reset()
  await until('it answers', () => isOpen(lab, '10.5.0.2'))
  const again = adminOf(lab, cluster, '10.5.0.2')
  await until('it runs again', async () => (await stageOf(again)) === 'running')
  await until('Kubernetes is served', () => lab.network.resolve('10.5.0.2', 6443) !== undefined)
  await lab.clock.sleep(30_000)
  const since = lab.ledger.entries().slice(before)
  const count = (event: string) => since.filter((entry) => entry.event === event).length
  expect([count('etcd.member-started'), count('kubernetes.api-served')]).toEqual([1, 1])
  expect(lab.ledger.entries().filter(({ event }) => event === 'etcd.bootstrapped')).toHaveLength(1)
})

test('machines are reported in the order of their names, whichever came up first', () => {
  for (const [vmid, name] of ['dev-wk-10', 'dev-wk-9', 'dev-cp-1'].entries()) lab.boot({ name, vmid })
  expect(lab.guests.machines().map(({ name }) => name)).toEqual(['dev-cp-1', 'dev-wk-9', 'dev-wk-10'])
})

test('a caller that never gets past its hello does not keep a machine from rebooting', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  const caller = connect(lab.network.resolve('10.5.0.2', 50000) ?? { port: 0 })
  await once(caller, 'connect')
  const opened = () => lab.ledger.entries().filter(({ event }) => event === 'api.opened').length
  const before = opened()
  await node.machine.reboot({})
  await until('it is back', () => opened() === before + 1)
  caller.destroy()
})

test('without power nothing answers, and what is on the disk is there afterwards', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  await bootstrap(node)
  await until('it runs', async () => (await stageOf(node)) === 'running')
  await node.guest.powerOff()
  expect(isOpen(lab, '10.5.0.2')).toBe(false)
  expect(lab.network.resolve('10.5.0.2', 6443)).toBeUndefined()
  lab.guests.powerOn({ ...node.hardware, cds: [] })
  await until('it answers without its seed', () => isOpen(lab, '10.5.0.2'))
  const again = adminOf(lab, cluster, '10.5.0.2')
  await until('etcd is back', async () => {
    const { messages } = await again.machine.etcdMemberList({}).catch(() => ({ messages: [] }))
    return messages[0]?.members.length === 1
  })
})

test('a machine that switches itself off reports the hypervisor once and is gone', async () => {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  await node.machine.shutdown({})
  await until('it is off', () => node.offs() === 1)
  expect(lab.guests.machines()).toEqual([])
})

test.each([
  { what: 'an empty disk', vm: { disks: [{ slot: 'scsi0', size: 1e10, content: {} }] } },
  { what: 'a Secure Boot image under a BIOS', vm: { firmware: 'seabios', medium: { secureBoot: true } } },
] as const)('a VM with $what does not come up', async ({ vm }) => {
  lab.boot({ name: 'dark', ...vm })
  await lab.clock.sleep(60_000)
  expect(lab.guests.machines()).toMatchObject([{ addresses: [], talos: '' }])
})

test('an address in use is taken as soon as it is free', async () => {
  const first = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  const twin = aNode(lab, cluster, { name: 'cp-2', address: '10.5.0.2' })
  await lab.clock.sleep(60_000)
  expect((await first.machine.hostname({})).messages[0]?.hostname).toBe('cp-1')
  await first.guest.powerOff()
  await twin
  await until('the other one answers', async () => {
    if (!isOpen(lab, '10.5.0.2')) return false
    const { messages } = await adminOf(lab, cluster, '10.5.0.2').machine.hostname({})
    return messages[0]?.hostname === 'cp-2'
  })
})
