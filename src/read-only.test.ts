import { expect, test } from 'vitest'
import { aStub } from '../tests/support/stub.js'
import { readOnly } from './read-only.js'
import type { World } from './world.js'

const signal = new AbortController().signal
const vm = { host: 'pve1', vmid: 100 }
const target = { machine: 'dev-cp-1', address: '10.0.10.11' }

function aWorld() {
  const calls: string[] = []
  const note = async (call: string) => void calls.push(call)
  const world = aStub<World>({
    secrets: { location: 'secrets.sops.yaml', make: () => note('make') },
    proxmox: {
      trust: { kind: 'system' },
      machines: {
        start: async () => {
          await note('start')
          return { host: 'pve1', upid: 'x' }
        },
        findStatus: async () => undefined,
      },
    },
    talos: {
      node: () => ({ reboot: () => note('reboot'), bootId: async () => 'boot-1', etcd: { alarms: async () => [] } }),
    },
    kubernetes: { at: () => ({ approveCsr: () => note('approve'), nodes: async () => [] }) },
  })
  return { world: readOnly(world), calls }
}

test('a read-only world answers questions, also through the handle of a node', async () => {
  const { world } = aWorld()
  expect(world.secrets.location).toBe('secrets.sops.yaml')
  expect(world.proxmox.trust.kind).toBe('system')
  expect(await world.proxmox.machines.findStatus(vm, signal)).toBeUndefined()
  expect(await world.talos.node(target).bootId(signal)).toBe('boot-1')
  expect(await world.talos.node(target).etcd.alarms(signal)).toEqual([])
  expect(await world.kubernetes.at([]).nodes(signal)).toEqual([])
})

test.each<{ what: string; change: (world: World) => unknown }>([
  { what: 'a VM is started', change: ({ proxmox }) => proxmox.machines.start(vm, signal) },
  { what: 'secrets are created', change: ({ secrets }) => secrets.make('v1.13') },
  { what: 'a node is rebooted', change: ({ talos }) => talos.node(target).reboot('default', signal) },
  { what: 'a certificate is approved', change: ({ kubernetes }) => kubernetes.at([]).approveCsr('csr-1', signal) },
])('a read-only world throws before $what', ({ change }) => {
  const { world, calls } = aWorld()
  expect(() => change(world)).toThrow('read-only')
  expect(calls).toEqual([])
})
