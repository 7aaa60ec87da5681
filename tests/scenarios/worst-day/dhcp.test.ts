import { afterAll, beforeAll, expect, test } from 'vitest'
import type { World } from '../../../src/world.js'
import { byHand, type Hand } from '../../support/by-hand.js'
import { aStage, aTopology, type Stage } from '../../support/lab.js'
import { whatIsThere } from '../../support/left-behind.js'
import { isWell, reset } from '../../support/worst-day.js'

const cluster = `cluster_name: dev
talos_version: v1.13.9
control_plane_count: 1
worker_count: 1
secrets: plain
network: { mode: dhcp, agent: true }
proxmox: { datastore: local-lvm }
sizing:
  control_plane: { cpu: 2, ram: 4GiB, disk: 20G }
  worker: { cpu: 2, ram: 4GiB, disk: 20G }
`

let stage: Stage
beforeAll(async () => {
  const dhcp = [
    { bridge: 'vmbr0', cidr: '10.0.10.0/24', gateway: '10.0.10.254', dns: [], reservations: [], poolOffset: 100 },
  ]
  stage = await aStage({ speed: 1500, topology: aTopology({ hosts: 3, dhcp }), files: { 'cluster.yaml': cluster } })
  await stage.up()
})
afterAll(() => stage.close())

/** Whenever that VM is read, it has just moved to the next host. */
function restless(world: World, hand: Hand, vmid: number): World {
  const hosts = ['pve1', 'pve2', 'pve3']
  const { machines } = world.proxmox
  const findOptions: typeof machines.findOptions = async (vm, signal) => {
    if (vm.vmid === vmid) {
      const target = hosts[(hosts.indexOf(vm.host) + 1) % hosts.length] ?? ''
      await hand.wait(machines.migrate(vm, { target, online: true, withLocalDisks: true }, signal))
    }
    return machines.findOptions(vm, signal)
  }
  return { ...world, proxmox: { ...world.proxmox, machines: { ...machines, findOptions } } }
}

test('a VM moves between list and read in every look: it is not made a second time, and nothing is called done', async () => {
  const hand = await byHand(stage)
  const { vmid } = await hand.vm('dev-wk-1')
  const through = (world: World) => restless(world, hand, vmid)
  await expect(stage.up({ through })).rejects.toMatchObject({ code: 'incomplete', exitCode: 1 })
  expect(whatIsThere(stage.lab).vms).toHaveLength(2)
  await isWell(stage, stage.lab.clock.now())
})

test('somebody reset a worker, and it waits for a config at an address that only its agent knows: it gets it again', async () => {
  const from = stage.lab.clock.now()
  await reset(stage, 'dev-wk-1')
  expect((await stage.up()).outcome).toBe('done')
  await isWell(stage, from)
})
