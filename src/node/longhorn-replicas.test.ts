import { expect, test } from 'vitest'
import { aContext, aDesired, aSeenMachine } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { aWorld } from '../../tests/support/worlds.js'
import type { PlannedAddon } from '../addons/planned-addon.js'
import type { World } from '../world.js'
import { guardReplicas } from './longhorn-replicas.js'

const machine = 'dev-wk-1'
const plain = await aDesired({ workers: 2 })
const desired = { ...plain, addons: [aStub<PlannedAddon>({ name: 'longhorn' })] }
const observed = { ...aWorld(['pve1']), machines: [aSeenMachine(machine, 3000)] }

const replica = (volume: string, node: string, isHealthy = true) => ({
  apiVersion: 'longhorn.io/v1beta2',
  kind: 'Replica',
  metadata: { name: `${volume}-${node}` },
  spec: { volumeName: volume, nodeID: node, healthyAt: isHealthy ? '2026-01-01T00:00:00Z' : '', failedAt: '' },
  status: { currentState: isHealthy ? 'running' : 'stopped' },
})

const guard = (
  replicas: readonly ReturnType<typeof replica>[],
  wanted = desired,
  machines: string | readonly string[] = machine,
) =>
  guardReplicas(
    machines,
    aContext({
      desired: wanted,
      observed,
      world: aStub<World>({ kubernetes: { at: () => ({ list: async () => replicas }) } }),
    }),
  )

test('a volume that has another healthy replica survives', async () => {
  await guard([replica('a', machine), replica('a', 'dev-wk-2'), replica('b', 'dev-wk-2')])
})

test.each([
  { because: 'there is no other', replicas: [replica('a', machine)] },
  { because: 'the other one is not healthy', replicas: [replica('a', machine), replica('a', 'dev-wk-2', false)] },
  { because: 'the other one is on the same node', replicas: [replica('a', machine), replica('a', machine)] },
])('refused: $because', async ({ replicas }) => {
  await expect(guard(replicas)).rejects.toThrow('Longhorn has no other healthy replica of a than the one on dev-wk-1.')
})

test('of machines that are lost together, none counts for another', async () => {
  const replicas = [replica('a', machine), replica('a', 'dev-wk-2')]
  await expect(guard(replicas, desired, [machine, 'dev-wk-2'])).rejects.toThrow(
    'Longhorn has no other healthy replica of a than the one on dev-wk-1, dev-wk-2.',
  )
  await guard([...replicas, replica('a', 'dev-wk-3')], desired, [machine, 'dev-wk-2'])
})

test('without Longhorn nothing is queried', async () => {
  await guardReplicas(machine, aContext({ desired: plain, observed, world: aStub<World>({}) }))
})
