import { afterAll, beforeAll, expect, test } from 'vitest'
import { ifSeen } from '../../src/cluster/seen.js'
import { awaitForgotten, findLostHost } from '../../src/operations/change/find-lost-host.js'
import { byHand } from '../support/by-hand.js'
import { aStage, clusterYaml, type Stage } from '../support/lab.js'
import { etcdNeverLostItsMajority } from '../support/quorum.js'
import { reboot, replace } from '../support/verbs.js'
import { type Watched, watchWorkload } from '../support/watched-workload.js'

const vip = '10.0.10.5'
let stage: Stage
let workload: Watched
beforeAll(async () => {
  const yaml = clusterYaml({ controlPlanes: 3, workers: 3 }).replace('10.0.10.254', `10.0.10.254\n  vip: ${vip}`)
  stage = await aStage({ speed: 50, files: { 'cluster.yaml': yaml } })
  await stage.up()
  workload = await watchWorkload(stage, vip)
})
afterAll(() => stage.close())

const machines = async () => (await stage.plan()).observed.machines
const created = async (name: string) => (await machines()).find((one) => one.name === name)?.mark.more?.replaced
const members = async () => {
  const etcd = ifSeen((await stage.plan()).observed.etcd)
  return etcd?.members.filter(({ id }) => etcd.healthy.includes(id)).length
}

test('replace a worker and a control plane that live: same name, address and VMID, and the cluster is there all the time', async () => {
  const before = (await machines()).map(({ name, vmid, address }) => ({ name, vmid, address }))
  await stage.up({ change: replace('dev-wk-2', 'dev-cp-2') })
  expect((await machines()).map(({ name, vmid, address }) => ({ name, vmid, address }))).toEqual(
    expect.arrayContaining(before),
  )
  expect(await Promise.all(['dev-wk-2', 'dev-cp-2', 'dev-wk-1'].map(created))).toEqual([
    expect.any(String),
    expect.any(String),
    undefined,
  ])
  expect(await members()).toBe(3)
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  workload.kept({
    workers: { machines: ['dev-wk-1', 'dev-wk-2', 'dev-wk-3'], maxAway: 1 },
    controlPlanes: { machines: ['dev-cp-1', 'dev-cp-2', 'dev-cp-3'], maxAway: 1 },
  })
})

test('replace a control plane that is lost: its member is removed by its id', async () => {
  await (await byHand(stage)).stop('dev-cp-3')
  await stage.up({ change: replace('dev-cp-3') })
  expect(await created('dev-cp-3')).toEqual(expect.any(String))
  expect(await members()).toBe(3)
  etcdNeverLostItsMajority(stage.lab)
})

test('reboot a worker and the control planes: drained, in turn, and the cluster is there all the time', async () => {
  const boots = async () => {
    const { world, signal } = await byHand(stage)
    return Promise.all(
      (await machines()).map(async ({ name, address = '' }) => {
        const bootTime = await world.talos.node({ machine: name, address }).bootTime(signal)
        return [name, bootTime] as const
      }),
    )
  }
  const before = new Map(await boots())
  workload.begin()
  expect(await stage.up({ change: reboot('dev-wk-3', 'control_planes') })).toMatchObject({ outcome: 'done' })
  const later = (await boots()).filter(([name, bootTime]) => bootTime > (before.get(name) ?? 0)).map(([name]) => name)
  expect(later.sort()).toEqual(['dev-cp-1', 'dev-cp-2', 'dev-cp-3', 'dev-wk-3'])
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  etcdNeverLostItsMajority(stage.lab)
  workload.kept({ workers: { machines: ['dev-wk-1', 'dev-wk-2', 'dev-wk-3'], maxAway: 1 } })
})

test('replace a host that is gone: refused while it or its machines answer; then its machines are made elsewhere', async () => {
  const { world, signal } = await byHand(stage)
  const inventory = await stage.inventory()
  await expect(findLostHost('pve2', inventory, world, signal)).rejects.toThrow('pve2 responds: it is not lost.')
  await expect(findLostHost('pve9', inventory, world, signal)).rejects.toThrow('There is no host pve9')
  const there = (await machines()).filter(({ host }) => host === 'pve2')
  await stage.lab.proxmox.setHostOnline('pve2', false)
  // Kubernetes calls a node Ready for a while after its last word: until then it may be alive.
  await world.clock.sleep(60_000, signal)
  const lost = await findLostHost('pve2', inventory, world, signal)
  expect([...lost.machines].sort()).toEqual(there.map(({ name }) => name).sort())
  await expect(stage.up({ change: replace(there[0]?.name ?? '') })).rejects.toMatchObject({
    code: 'refused',
    fix: 'Bring pve2 back. If it is permanently lost: ichor replace --host pve2 --gone.',
  })
  await stage.lab.proxmox.setHostOnline('pve2', true)
  await expect(awaitForgotten(lost, world, signal)).rejects.toThrow('pve2 is back: it responds again.')
  await stage.lab.proxmox.setHostOnline('pve2', false)
  await world.clock.sleep(60_000, signal)
  const forgotten = awaitForgotten(lost, world, signal)
  for (const vmid of lost.vmids) stage.lab.proxmox.trouble.removeVmFile(vmid)
  await forgotten
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const after = await machines()
  expect(after).toHaveLength(6)
  expect(after.filter(({ host }) => host === 'pve2')).toEqual([])
  expect(await members()).toBe(3)
})
