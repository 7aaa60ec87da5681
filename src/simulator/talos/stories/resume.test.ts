import { afterEach, expect, test } from 'vitest'
import { aCluster } from '../testing/a-cluster.js'
import { aLab, type TestLab, until } from '../testing/a-lab.js'
import { adminOf, aNode, bootstrap, isOpen, stageOf } from '../testing/a-node.js'

let lab: TestLab
afterEach(() => lab.close())

test('a saved lab goes on where it was: same stage, same certificate, same etcd, and nothing is bootstrapped again', async () => {
  lab = await aLab()
  const cluster = aCluster()
  const addresses = [2, 3, 4].map((n) => `10.5.0.${n}`)
  const nodes = await Promise.all(addresses.map((address, n) => aNode(lab, cluster, { name: `cp-${n}`, address })))
  const [first] = nodes
  if (first === undefined) throw new Error('A node is needed.')
  await bootstrap(first)
  await until('all run', async () => (await Promise.all(nodes.map(stageOf))).every((stage) => stage === 'running'))
  const membersNow = async () => (await first.machine.etcdMemberList({})).messages[0]?.members ?? []
  await until('all vote', async () => (await membersNow()).filter(({ isLearner }) => !isLearner).length === 3)
  const config = await membersNow()

  const saved = JSON.parse(
    JSON.stringify({ shared: lab.guests.save(), machines: nodes.map(({ guest }) => guest.save()) }),
  )
  const hardware = nodes.map((node) => ({ ...node.hardware, disks: JSON.parse(JSON.stringify(node.hardware.disks)) }))
  await lab.close()

  lab = await aLab({ speed: 50, resume: saved.shared })
  hardware.forEach((one, n) => {
    lab.guests.powerOn(one, saved.machines[n])
  })
  await until('all answer', () => addresses.every((address) => isOpen(lab, address)))
  const again = adminOf(lab, cluster, '10.5.0.2')
  expect(await stageOf(again)).toBe('running')
  expect((await again.machine.etcdMemberList({})).messages[0]?.members).toEqual(config)
  const resumed = nodes.map(({ guest }) => guest).map((_, n) => saved.machines[n].certificate.crt)
  expect(new Set(resumed).size).toBe(3)
  expect(
    lab.ledger.entries().filter(({ event }) => event === 'etcd.bootstrapped' || event === 'machine.stage'),
  ).toEqual([])
})
