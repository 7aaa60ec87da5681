import { expect, test } from 'vitest'
import { aContext, aDesired, aSeenMachine } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { aWorld } from '../../tests/support/worlds.js'
import { stepOf } from '../capabilities/steps.js'
import { deriveIdentity } from '../cluster/identity.js'
import type { NodeInfo } from '../kubernetes/port.js'
import type { PendingChange } from '../proxmox/client/port.js'
import type { World } from '../world.js'

const machine = 'dev-wk-1'
const desired = await aDesired({ workers: 1 })
const seen = aSeenMachine(machine, 3000)
const context = aContext({ desired, observed: { ...aWorld(['pve1']), machines: [seen] } })
const wanted = desired.machines.find((one) => one.machine.name === machine)?.talos?.config ?? ''
const node = { name: 'dhcp-17', systemUuid: deriveIdentity('dev', machine).uuid }

/** Kubernetes with these nodes, a VM with these pending options, and a machine that runs that config. */
function aPlace({
  nodes = [node],
  pending = [],
  config = wanted,
}: {
  nodes?: Partial<NodeInfo>[]
  pending?: PendingChange[]
  config?: string
} = {}) {
  const calls: string[] = []
  const world = aStub<World>({
    kubernetes: {
      at: () => ({
        nodes: async () => nodes,
        cordon: async (name) => void calls.push(`cordon ${name}`),
        uncordon: async (name) => void calls.push(`uncordon ${name}`),
        drain: async (name) => void calls.push(`drain ${name}`),
      }),
    },
    proxmox: {
      machines: {
        findConfig: async () => ({ options: seen.options, digest: 'd' }),
        pending: async () => pending,
      },
    },
    talos: {
      node: () => ({
        version: async () => ({ tag: 'v1.13.9' }),
        resources: { machineConfig: async () => config },
      }),
    },
  })
  return { world, calls }
}

test.each([{ restart: ['memory'] }, { config: true }, { leave: true }])(
  'before %o new work is kept away and the old moves, on the node that has the UUID of the machine',
  async (purpose) => {
    const { world, calls } = aPlace({ nodes: [{ name: machine, systemUuid: 'other' }, node] })
    await stepOf('drain-node', { machine, purpose }).run({ ...context, ...world })
    expect(calls).toEqual(['cordon dhcp-17', 'drain dhcp-17'])
  },
)

test('without the lease nothing is cordoned', async () => {
  const { world, calls } = aPlace()
  const lost = () => {
    throw new Error('the lease is lost')
  }
  const drain = stepOf('drain-node', { machine, purpose: { leave: true } })
  await expect(drain.run({ ...context, assertLease: lost, ...world })).rejects.toThrow('the lease is lost')
  expect(calls).toEqual([])
})

const memory: PendingChange = { key: 'memory', value: '2048', pending: '4096', isDeleted: false }

test.each([
  { what: 'an option still waits', purpose: { restart: ['memory'] }, place: { pending: [memory] }, isDone: false },
  { what: 'another option waits', purpose: { restart: ['cores'] }, place: { pending: [memory] }, isDone: true },
  { what: 'the option has taken effect', purpose: { restart: ['memory'] }, place: {}, isDone: true },
  { what: 'it runs with another config', purpose: { config: true }, place: { config: 'machine: {}' }, isDone: false },
  { what: 'it runs with its config', purpose: { config: true }, place: {}, isDone: true },
  { what: 'its node is there', purpose: { leave: true }, place: {}, isDone: false },
  { what: 'its node is gone', purpose: { leave: true }, place: { nodes: [] }, isDone: true },
])('where $what, there is nothing left to drain it for: $isDone', async ({ purpose, place, isDone }) => {
  expect(await stepOf('drain-node', { machine, purpose }).done({ ...context, ...aPlace(place).world })).toBe(isDone)
})

test.each([
  { whose: 'ours', annotations: { 'ichor.dev/cordoned': 'true' }, isDone: false },
  { whose: "somebody else's", annotations: {}, isDone: true },
])('a cordon that is $whose stays: $isDone', async ({ annotations, isDone }) => {
  const { world } = aPlace({ nodes: [{ ...node, unschedulable: true, annotations }] })
  expect(await stepOf('uncordon-node', { machine }).done({ ...context, ...world })).toBe(isDone)
})
