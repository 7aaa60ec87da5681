import { expect, test } from 'vitest'
import { aStub } from '../../tests/support/stub.js'
import { createClock } from '../clock.js'
import type { World } from '../world.js'
import { withReadCache } from './read-cache.js'

const vm = { host: 'pve1', vmid: 100 }
const signal = new AbortController().signal

function aWorld() {
  const calls: string[] = []
  const world = aStub<World>({
    clock: createClock(1000),
    proxmox: {
      machines: {
        findConfig: async ({ vmid }) => {
          calls.push(`config of ${vmid}`)
          if (vmid === 404) throw new Error('no answer')
          return { options: {}, digest: `d${calls.length}` }
        },
        setOptions: async () => void calls.push('set'),
      },
      tasks: { wait: async () => ({ warnings: [] }) },
      cluster: { resources: async () => ({ hosts: [], guests: [], storages: [] }) },
    },
  })
  return { ...withReadCache(world), calls }
}

test('the same VM is asked once, another one for itself, and other questions end no memory', async () => {
  const { world, calls } = aWorld()
  const { machines, cluster } = world.proxmox
  const first = await machines.findConfig(vm, signal)
  await cluster.resources(signal)
  expect(await machines.findConfig({ ...vm }, AbortSignal.timeout(1000))).toBe(first)
  await machines.findConfig({ ...vm, vmid: 101 }, signal)
  expect(calls).toEqual(['config of 100', 'config of 101'])
})

test.each<{ what: string; happens: (world: World, forget: () => void) => unknown }>([
  { what: 'something was written', happens: ({ proxmox }) => proxmox.machines.setOptions(vm, {}, signal) },
  { what: 'a worker was waited for', happens: ({ proxmox }) => proxmox.tasks.wait({ host: 'pve1', upid: '' }, signal) },
  { what: 'time has passed', happens: ({ clock }) => clock.sleep(1, signal) },
  { what: 'somebody needs it fresh', happens: (_world, forget) => forget() },
])('a VM is asked again after $what', async ({ happens }) => {
  const { world, forget, calls } = aWorld()
  await world.proxmox.machines.findConfig(vm, signal)
  await happens(world, forget)
  await world.proxmox.machines.findConfig(vm, signal)
  expect(calls.filter((call) => call === 'config of 100')).toHaveLength(2)
})

test('a question that failed is asked again', async () => {
  const { world, calls } = aWorld()
  const lost = { ...vm, vmid: 404 }
  await expect(world.proxmox.machines.findConfig(lost, signal)).rejects.toThrow('no answer')
  await expect(world.proxmox.machines.findConfig(lost, signal)).rejects.toThrow('no answer')
  expect(calls).toHaveLength(2)
})
