import { afterEach, expect, test } from 'vitest'
import { deriveIdentity } from '../../src/cluster/identity.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'

let stage: Stage | undefined
afterEach(() => stage?.close())

const signal = AbortSignal.timeout(55_000)
const name = 'dev-cp-1'
const { mac, uuid } = deriveIdentity('dev', name)
const files = {
  'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0, extra: 'talos:\n  delivery: apply\n' }),
}

/** A lab whose DHCP server gives the first machine the address that the inventory expects, or any. */
async function aLabWithLease(reservations = [{ mac, address: '10.0.10.10' }]): Promise<Stage> {
  const dhcp = [
    { bridge: 'vmbr0', cidr: '10.0.10.0/24', gateway: '10.0.10.254', dns: [], reservations, poolOffset: 100 },
  ]
  stage = await aStage({ topology: aTopology({ dhcp }), files })
  return stage
}

test('a machine that boots without a config gets it over its open API, and becomes a cluster', async () => {
  const { up } = await aLabWithLease()
  expect(await up()).toMatchObject({ outcome: 'done' })
})

test('it waits at whatever address DHCP gave it: its guest agent reports which, and then it moves to its own', async () => {
  const { up, plan } = await aLabWithLease([])
  expect(await up()).toMatchObject({ outcome: 'done' })
  expect((await plan()).observed.machines).toMatchObject([{ name, address: '10.0.10.10', talos: { reach: 'secured' } }])
})

test('another machine on that address gets nothing', async () => {
  const { up, connect, lab } = await aLabWithLease()
  lab.faults.add({
    match: { surface: 'talos', method: 'ApplyConfiguration' },
    action: { kind: 'status', status: 14, message: 'not now' },
    times: 1000,
  })
  const stop = new AbortController()
  const running = up({ signal: stop.signal }).catch((thrown: unknown) => thrown)
  const { world } = await connect()
  const node = world.talos.maintenance({ machine: name, address: '10.0.10.10' })
  await expect.poll(() => node.findIdentity(signal), { timeout: 30_000 }).toMatchObject({ uuid, macs: [mac] })
  stop.abort(new Error('seen enough'))
  await running

  const other = { uuid: deriveIdentity('dev', 'dev-cp-2').uuid, mac }
  await expect(node.applyConfiguration('version: v1alpha1', other, signal)).rejects.toThrow('No config was sent')
  expect(await node.findIdentity(signal)).toMatchObject({ uuid })
  const secured = world.talos.node({ machine: name, address: '10.0.10.10' })
  await expect(secured.version(signal)).rejects.toMatchObject({ name: 'TalosError' })
})
