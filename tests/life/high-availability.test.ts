import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clusterComment } from '../../src/cluster/tag.js'
import type { HighAvailability } from '../../src/proxmox/client/port.js'
import { byHand } from '../support/by-hand.js'
import { anInventoryFolder, aStage, aTopology, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'
import { evacuateHosts, replace, scaleTo } from '../support/verbs.js'
import { watchWorkload } from '../support/watched-workload.js'

const GiB = 1024 ** 3
const vip = '10.0.10.5'
const comment = clusterComment('dev')
const ha = 'placement:\n  ha: true\n'

let stage: Stage
afterEach(() => stage.close())

const yaml = ({ extra = '', datastore = 'ceph' } = {}) =>
  clusterYaml({ controlPlanes: 3, workers: 3, extra: `secrets: plain\n${extra}` })
    .replace('10.0.10.254', `10.0.10.254\n  vip: ${vip}`)
    .replace('datastore: local-lvm', `datastore: ${datastore}`)

function topology(hosts = 3) {
  const { storages, ...rest } = aTopology({ hosts })
  const shared = { id: 'ceph', type: 'rbd', content: ['images'], shared: true, total: 4000 * GiB } as const
  return { ...rest, storages: [...storages, shared] }
}

async function highAvailability(): Promise<HighAvailability> {
  const { world, signal } = await byHand(stage)
  return world.proxmox.highAvailability.read((await world.proxmox.cluster.version(signal)).major, signal)
}

const vmidsOf = async (...names: string[]) => {
  const hand = await byHand(stage)
  return Promise.all(names.map(async (name) => (await hand.vm(name)).vmid))
}

describe.each([8, 9] as const)('on Proxmox %i', (pve) => {
  const standing: { lab?: ReturnType<Stage['lab']['save']>; folder: string } = { folder: '' }
  beforeAll(async () => {
    const files = { 'cluster.yaml': yaml({ extra: ha }) }
    standing.folder = await anInventoryFolder(files)
    const builder = await aStage({ speed: 1500, topology: topology(), pve, files, folder: standing.folder })
    await builder.up()
    standing.lab = builder.lab.save()
    await builder.close()
  }, 120_000)
  afterAll(() => rm(standing.folder, { recursive: true, force: true }))

  async function aCluster(): Promise<Stage> {
    const files = { 'cluster.yaml': yaml({ extra: ha }) }
    const { lab: resume, folder } = standing
    const opened = await aStage({
      speed: 1000,
      topology: topology(),
      pve,
      files,
      folder,
      ...(resume ? { resume } : {}),
    })
    await opened.write('cluster.yaml', files['cluster.yaml'])
    return opened
  }

  test('machines are given to HA once their Talos runs, and taken from it when the inventory says so', async () => {
    stage = await aCluster()
    const { resources, groups, rules } = await highAvailability()
    expect(resources).toHaveLength(6)
    expect(resources[0]).toEqual({ vmid: expect.any(Number), state: 'started', maxRestart: 1, maxRelocate: 1, comment })
    expect(groups).toEqual([])
    const vmids = await vmidsOf('dev-cp-1', 'dev-cp-2', 'dev-cp-3')
    const id = 'ichor-dev-control-planes-apart'
    expect(rules).toEqual(pve === 8 ? [] : [{ type: 'resource-affinity', id, vmids, together: false, comment }])
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })

    await stage.write('cluster.yaml', yaml({ extra: 'placement:\n  ha: { max_restart: 3, max_relocate: 2 }\n' }))
    await stage.up()
    expect((await highAvailability()).resources[5]).toMatchObject({ maxRestart: 3, maxRelocate: 2 })

    await stage.write('cluster.yaml', yaml())
    await stage.up()
    expect(await highAvailability()).toEqual({ resources: [], groups: [], rules: [] })
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
    expect(stage.lab.availability.machineOutages()).toEqual([])
  })

  test('machines that may run on certain hosts are kept there', async () => {
    stage = await aCluster()
    const pinned = 'placement:\n  ha: true\n  pinned: { dev-wk-1: pve1 }\n'
    await stage.write('cluster.yaml', yaml({ extra: pinned }))
    await stage.up()
    const { groups, rules, resources } = await highAvailability()
    const [vmid] = await vmidsOf('dev-wk-1')
    const kept = { id: 'ichor-dev-on-pve1', hosts: ['pve1'], comment }
    if (pve === 8) {
      expect(groups).toEqual([{ ...kept, restricted: true }])
      expect(resources.filter(({ group }) => group === kept.id)).toMatchObject([{ vmid }])
    } else expect(rules).toContainEqual({ ...kept, type: 'node-affinity', vmids: [vmid], strict: true })
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })

    // Its host dies: what cannot be seen stays in every group and rule.
    const before = await highAvailability()
    await stage.lab.proxmox.setHostOnline('pve1', false)
    await stage.up().catch(() => undefined)
    expect(await highAvailability()).toEqual(before)
    await stage.lab.proxmox.setHostOnline('pve1', true)

    await stage.write('cluster.yaml', yaml({ extra: ha }))
    await stage.up()
    const after = await highAvailability()
    expect([...after.groups, ...after.rules].map(({ id }) => id)).not.toContain(kept.id)
    expect(after.resources.every(({ group }) => group === undefined)).toBe(true)
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  })

  test('a machine that is pinned to another host than it is on is not moved by HA', async () => {
    stage = await aCluster()
    const hand = await byHand(stage)
    const { host } = await hand.vm('dev-cp-1')
    await stage.write(
      'cluster.yaml',
      yaml({ extra: `placement:\n  ha: true\n  pinned: { dev-cp-1: ${host === 'pve1' ? 'pve2' : 'pve1'} }\n` }),
    )
    await stage.up()
    await stage.up()
    expect((await hand.vm('dev-cp-1')).host).toBe(host)
  })

  test('a worker that goes is not restarted by HA in the middle of its reset', async () => {
    stage = await aCluster()
    const workload = await watchWorkload(stage, vip)
    await stage.up({ change: scaleTo('workers=2') })
    expect((await highAvailability()).resources).toHaveLength(5)
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
    const starts = stage.lab.proxmox.save().state.tasks.filter(({ type }) => type === 'hastart')
    expect(starts).toEqual([])
    workload.kept({ workers: { machines: ['dev-wk-1', 'dev-wk-2', 'dev-wk-3'], maxAway: 1 } })
  })

  test('a machine that is restarted for its new size is left alone by HA meanwhile, and given back', async () => {
    stage = await aCluster()
    const larger = yaml({ extra: ha }).replace('worker: { cpu: 2, ram: 4GiB', 'worker: { cpu: 2, ram: 6GiB')
    await stage.write('cluster.yaml', larger)
    await stage.up()
    expect((await highAvailability()).resources.map(({ state }) => state)).toEqual(Array(6).fill('started'))
    expect(stage.lab.proxmox.save().state.tasks.filter(({ type }) => /^ha/.test(type))).toEqual([])
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  })

  test('a machine that is replaced is given to HA again when it is made', async () => {
    stage = await aCluster()
    await stage.up({ change: replace('dev-wk-2') })
    expect((await highAvailability()).resources.map(({ state }) => state)).toEqual(Array(6).fill('started'))
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  })

  test('machines of a host that dies are started elsewhere by HA, and recognised there', async () => {
    stage = await aCluster()
    const [vmid] = await vmidsOf('dev-wk-1')
    const hostNow = () => {
      const { host, running } = stage.lab.proxmox.save().state.vms[String(vmid)] ?? {}
      return running ? host : 'down'
    }
    const before = hostNow()
    await stage.lab.proxmox.setHostOnline(String(before), false)
    await expect.poll(hostNow, { timeout: 20_000, interval: 50 }).not.toBe('down')
    await expect.poll(hostNow, { timeout: 20_000, interval: 50 }).not.toBe(before)
    await stage.lab.proxmox.setHostOnline(String(before), true)
    const made = () => mutatingCalls(stage.lab).filter((call) => /POST \/nodes\/\w+\/qemu$/.test(call))
    expect(made()).toEqual([])
    await stage.up()
    expect(made()).toEqual([])
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  })

  test('a host is evacuated through HA and filled again', async () => {
    stage = await aCluster()
    await stage.up({ change: evacuateHosts(['pve1']) })
    await stage.up({ change: evacuateHosts(['pve1'], { isReturn: true }) })
    expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
    expect(await readFile(join(stage.folder, 'cluster.yaml'), 'utf8')).toBe(yaml({ extra: ha }))
  })

  test('destroy takes everything of the cluster out of HA', async () => {
    stage = await aCluster()
    await stage.destroy()
    expect(await highAvailability()).toEqual({ resources: [], groups: [], rules: [] })
    expect(stage.lab.proxmox.save().state.vms).toEqual({})
  })
})

test.each([
  [
    'disks that no other host has',
    { hosts: 3, datastore: 'local-lvm' },
    'storages that are not shared: local-lvm (dev-cp-1',
  ],
  ['a single host', { hosts: 1, datastore: 'ceph' }, 'needs at least two hosts'],
])('%s are refused before anything is made', async (_what, { hosts, datastore }, message) => {
  const files = { 'cluster.yaml': yaml({ extra: ha, datastore }) }
  stage = await aStage({ speed: 1000, topology: topology(hosts), files })
  await expect(stage.up()).rejects.toThrow(message)
  expect(mutatingCalls(stage.lab)).toEqual([])
})
