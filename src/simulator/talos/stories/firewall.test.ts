import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApplyConfigurationRequest_Mode as Mode } from '../../../wire/machine/machine_pb.js'
import { aCluster, type TestCluster } from '../testing/a-cluster.js'
import { aLab, type TestLab, until } from '../testing/a-lab.js'
import { adminOf, aNode, bootstrap, stageOf } from '../testing/a-node.js'

let lab: TestLab
let cluster: TestCluster
beforeEach(async () => {
  lab = await aLab()
  cluster = aCluster()
})
afterEach(() => lab.close())

async function aRunningNode() {
  const node = await aNode(lab, cluster, { name: 'cp-1', address: '10.5.0.2' })
  await bootstrap(node)
  await until('it runs', async () => (await stageOf(node)) === 'running')
  return node
}

type Node = Awaited<ReturnType<typeof aRunningNode>>

function walled(node: Node, action: 'accept' | 'block', from: string): Buffer {
  const head = 'apiVersion: v1alpha1\nkind'
  const rule = `${head}: NetworkRuleConfig\nname: apid\nportSelector:\n  ports: [50000]\n  protocol: tcp\ningress:\n  - subnet: ${from}\n`
  return Buffer.from([node.config, `${head}: NetworkDefaultActionConfig\ningress: ${action}\n`, rule].join('---\n'))
}

/** Over a separate connection. */
function isLetIn(): Promise<boolean> {
  return adminOf(lab, cluster, '10.5.0.2')
    .machine.version({})
    .then(
      () => true,
      () => false,
    )
}

test.each(['accept', 'block'] as const)(
  'where the default is %s, a rule closes its port to everybody that it does not name, on the socket',
  async (action) => {
    const node = await aRunningNode()
    await node.machine.applyConfiguration({ data: walled(node, action, '10.9.0.0/16'), mode: Mode.NO_REBOOT })
    expect(await isLetIn()).toBe(false)
    const reached = (from: string, port: number) => lab.network.canConnect(from, '10.5.0.2', port)
    expect([reached('10.9.0.1', 50_000), reached('10.8.0.1', 50_000)]).toEqual([true, false])
    expect(reached('10.9.0.1', 6443)).toBe(action === 'accept')
  },
)

test('a connection that is open survives a node that drops all others, but not a rule of one that accepts them', async () => {
  const node = await aRunningNode()
  const admits = (action: 'accept' | 'block') => {
    return node.machine
      .applyConfiguration({ data: walled(node, action, '10.9.0.0/16'), mode: Mode.NO_REBOOT })
      .then(() => lab.network.filters.admits({ ...packet, isNew: false }))
  }
  const packet = { from: '10.8.0.1', to: '10.5.0.2', port: 50_000, protocol: 'tcp' } as const
  expect(await admits('block')).toBe(true)
  expect(await admits('accept')).toBe(false)
})

test('rules that are only tried are gone when their time is over, and the node is reached again', async () => {
  const node = await aRunningNode()
  const data = walled(node, 'block', '10.9.0.0/16')
  await node.machine.applyConfiguration({ data, mode: Mode.TRY, tryModeTimeout: { seconds: 300n } })
  expect(await isLetIn()).toBe(false)
  await until('it has gone back', isLetIn)
})
