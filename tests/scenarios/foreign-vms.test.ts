import { afterEach, expect, test } from 'vitest'
import type { Lab, Topology } from '../../src/simulator/index.js'
import { byHand, type Hand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, type Stage, titlesOf } from '../support/lab.js'
import { notesOf } from '../support/plan-notes.js'

const GiB = 1024 ** 3
let stage: Stage
afterEach(() => stage.close())

const small = { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1 }) }

async function aSmallCluster(): Promise<Hand> {
  stage = await aStage({ speed: 1000, topology: aTopology(), files: small })
  await stage.up()
  return byHand(stage)
}

/** What the lab knows of a VM, and how often anybody asked to change it. */
function lifeOf({ proxmox }: Lab, vmid: number) {
  const { config, running } = proxmox.save().state.vms[String(vmid)] ?? {}
  const touched = proxmox.requests().filter(({ path, mutating }) => mutating && path.includes(`/qemu/${vmid}`))
  return { config, running, touched: touched.length }
}

/** Whatever ichor does to its cluster, these VMs live on as they are. */
async function staysUntouched(vmids: readonly number[], work: () => Promise<unknown>): Promise<void> {
  const before = vmids.map((vmid) => lifeOf(stage.lab, vmid))
  await work()
  expect(vmids.map((vmid) => lifeOf(stage.lab, vmid))).toEqual(before)
  await stage.destroy()
  expect(vmids.map((vmid) => lifeOf(stage.lab, vmid))).toEqual(before)
}

test("our VM was deleted and its VMID is somebody else's now: ours is recreated under the next one", async () => {
  const hand = await aSmallCluster()
  const vm = await hand.vm('dev-wk-1')
  await hand.remove('dev-wk-1')
  await hand.wait(hand.world.proxmox.machines.create(vm, { name: 'database', memory: 1024, cores: 1 }, hand.signal))
  await hand.wait(hand.world.proxmox.machines.start(vm, hand.signal))
  await staysUntouched([vm.vmid], async () => {
    expect(notesOf((await stage.plan()).plan)).toContain(
      `VM ${vm.vmid} on pve1 (database) does not belong to this cluster and is not changed.`,
    )
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect((await hand.vm('dev-wk-1')).vmid).toBe(vm.vmid + 1)
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
  })
})

test('a backup restored in its place is ours again; under another VMID it is a copy, as is a clone: never touched', async () => {
  const hand = await aSmallCluster()
  const vm = await hand.vm('dev-wk-1')
  const { machines } = hand.world.proxmox
  const archive = await hand.backUp('dev-wk-1')
  await hand.remove('dev-wk-1')
  await hand.restore(archive, vm)
  // A restored VM is in no pool, and a mark alone proves nothing.
  await expect(stage.plan()).rejects.toThrow('is marked as dev-wk-1, and is in no pool in place of ichor-dev')
  await hand.putIntoPool('ichor-dev', vm.vmid)
  expect(titlesOf((await stage.plan()).plan)).toEqual(['start dev-wk-1'])

  await hand.restore(archive, { host: 'pve1', vmid: 7000 })
  await hand.wait(machines.clone(vm, { vmid: 7001, name: 'dev-wk-1', full: true }, hand.signal))
  await staysUntouched([7000, 7001], async () => {
    const copy = (vmid: number) =>
      `VM ${vmid} on pve1 is a copy: it carries the mark of dev-wk-1, which is VM ${vm.vmid}. It is not changed.`
    const { plan } = await stage.plan()
    expect(notesOf(plan)).toEqual(expect.arrayContaining([copy(7000), copy(7001)]))
    expect(titlesOf(plan)).toEqual(['start dev-wk-1'])
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    expect((await stage.plan()).plan.steps).toEqual([])

    await hand.wait(machines.stop(vm, hand.signal))
    await hand.wait(machines.remove(vm, hand.signal))
    await expect(stage.up()).rejects.toThrow('VM 7000 on pve1 already has its UUID or MAC.')
  })
})

test('somebody else has a wanted VMID and a wanted name before the first up', async () => {
  const guest = { host: 'pve1', cpus: 1, memory: GiB, disk: GiB }
  const topology: Topology = aTopology({
    guests: [
      { ...guest, vmid: 2000, name: 'nas', running: true },
      { ...guest, vmid: 100, name: 'dev-cp-1', running: false },
    ],
  })
  stage = await aStage({ speed: 1000, topology, files: small })
  await staysUntouched([2000, 100], async () => {
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    const { observed } = await stage.plan()
    expect(observed.machines.map(({ name, vmid }) => `${name} ${vmid}`).sort()).toEqual([
      'dev-cp-1 2001',
      'dev-wk-1 3000',
    ])
  })
})

test('what a killed create leaves behind is reported with the command that removes it, and its VMID is skipped', async () => {
  stage = await aStage({ speed: 1000, topology: aTopology(), files: small })
  stage.lab.faults.add({ match: { method: 'POST', path: '/qemu$' }, action: { kind: 'kill-task' } })
  await expect(stage.up()).rejects.toThrow()
  const stub =
    Object.values(stage.lab.proxmox.save().state.vms).find(({ config }) => config.lock === 'create')?.vmid ?? 0
  expect(stub).toBeGreaterThan(0)
  await staysUntouched([stub], async () => {
    expect(notesOf((await stage.plan()).plan).join()).toContain(`qm unlock ${stub} && qm destroy ${stub}`)
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
  })
})

/** A cluster whose disks every host sees, with a worker on pve2 that somebody has given to HA. */
async function aClusterUnderHa(): Promise<number> {
  const { storages, ...topology } = aTopology({ hosts: 2 })
  const shared = { id: 'ceph', type: 'rbd', content: ['images'], shared: true, total: 2000 * GiB } as const
  const places = 'placement:\n  strategy: pin\n  pinned: { dev-cp-1: pve1, dev-wk-1: pve2 }\n'
  const yaml = clusterYaml({ controlPlanes: 1, workers: 1, extra: places }).replace('local-lvm', 'ceph')
  const files = { 'cluster.yaml': yaml }
  stage = await aStage({ speed: 1000, topology: { ...topology, storages: [...storages, shared] }, files })
  await stage.up()
  const hand = await byHand(stage)
  const { vmid } = await hand.vm('dev-wk-1')
  await hand.world.proxmox.highAvailability.setResource(
    { vmid, state: 'started', maxRestart: 1, maxRelocate: 1 },
    hand.signal,
  )
  return vmid
}

test('a machine of ours that HA has moved to another host is followed there: nothing to do, and destroy finds it', async () => {
  const vmid = await aClusterUnderHa()
  const { proxmox } = stage.lab
  const hostNow = () => {
    const { host, running } = proxmox.save().state.vms[String(vmid)] ?? {}
    return running ? host : 'down'
  }
  await proxmox.setHostOnline('pve2', false)
  await expect.poll(hostNow, { timeout: 5000, interval: 20 }).toBe('pve1')
  await proxmox.setHostOnline('pve2', true)

  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
  const { observed } = await stage.plan()
  expect(observed.machines.find(({ name }) => name === 'dev-wk-1')).toMatchObject({ host: 'pve1', vmid })
  expect(await stage.destroy()).toMatchObject({ outcome: 'done' })
  expect(Object.keys(proxmox.save().state.vms)).toEqual([])
})
