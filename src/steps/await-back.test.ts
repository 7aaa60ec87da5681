import { expect, test } from 'vitest'
import { aContext, aDesired } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { stepOf } from '../capabilities/steps.js'
import { createClock } from '../clock.js'
import { deriveIdentity } from '../cluster/identity.js'
import type { World } from '../world.js'

const machine = 'dev-cp-1'
const desired = await aDesired({ controlPlanes: 1 })
const wanted = desired.machines[0]?.talos?.config ?? ''
const systemUuid = deriveIdentity('dev', machine).uuid.toUpperCase()

const back = { config: wanted, leader: 'a1', isReady: true, isNodeReady: true, reportedBoot: 'b' }

/** A machine that comes back in stages: each request for its config moves to the next stage. */
function aWorld(moments: readonly Partial<typeof back>[]) {
  let asked = 0
  const now = () => ({ ...back, ...moments[Math.min(asked, moments.length) - 1] })
  const world = aStub<World>({
    clock: createClock(1000),
    // A long wait also checks the host.
    proxmox: { cluster: { resources: async () => ({ hosts: [], guests: [], storages: [] }) } },
    talos: {
      node: () => ({
        etcd: { status: async () => ({ leader: now().leader }) },
        version: async () => ({ tag: 'v1.13.9' }),
        bootId: async () => 'b',
        resources: {
          machineConfig: async () => {
            asked++
            return now().config
          },
          machineStatus: async () => ({ ready: now().isReady }),
        },
      }),
    },
    kubernetes: {
      at: () => ({
        // Nodes are matched by UUID: other nodes may have the same name.
        nodes: async () => [
          { name: machine, systemUuid: 'other', ready: true },
          { name: 'dhcp-17', systemUuid, ready: now().isNodeReady, bootId: now().reportedBoot },
        ],
      }),
    },
  })
  return { world, asked: () => asked }
}

test.each([
  { what: 'its config', before: { config: 'machine: {}' } },
  { what: 'the leader of its etcd', before: { leader: '0000000000000000' } },
  { what: 'its services', before: { isReady: false } },
  { what: 'its node', before: { isNodeReady: false } },
  { what: 'what its kubelet reports after the boot', before: { reportedBoot: 'a' } },
])('a machine is not back before $what is, so the next one does not go', async ({ before }) => {
  const place = aWorld([before, before, back])
  const step = stepOf('await-back', { machine, isControlPlane: true, isNode: true })
  const context = aContext({ desired })
  expect(await step.done({ ...context, ...place.world })).toBe(false)
  await step.run({ ...context, ...place.world })
  expect(place.asked()).toBe(3)
})

test('one whose etcd did not start before is back with its node', async () => {
  const place = aWorld([
    { isReady: false, isNodeReady: false },
    { leader: '0', isReady: false },
  ])
  const args = { machine, isControlPlane: false, isNode: true, isSick: true }
  await stepOf('await-back', args).run(aContext({ desired, world: place.world }))
  expect(place.asked()).toBe(2)
})

test('one that was neither a member of etcd nor a node before is not waited for as such', async () => {
  const place = aWorld([{ leader: '0', isReady: false, isNodeReady: false }])
  await stepOf('await-back', { machine, isControlPlane: false, isNode: false }).run(
    aContext({ desired, world: place.world }),
  )
  expect(place.asked()).toBe(1)
})
