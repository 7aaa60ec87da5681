import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.js'
import { ifSeen } from '../../src/cluster/seen.js'
import type { RunEvent } from '../../src/events/event.js'
import type { World } from '../../src/world.js'
import { byHand, type Hand } from '../support/by-hand.js'
import { aStage, clusterYaml, mutatingCalls, type Stage, titlesOf } from '../support/lab.js'
import { bootstraps } from '../support/left-behind.js'
import { notesOf } from '../support/plan-notes.js'
import { etcdMembers, etcdNeverLostItsMajority } from '../support/quorum.js'

/** The worker has a label that a kubelet may not give itself, and a taint. */
const labelled = (extra = '') => {
  const worker =
    '{ name: dev-wk-1, labels: { node-role.kubernetes.io/edge: "yes" }, taints: [dedicated=edge:PreferNoSchedule] }'
  return clusterYaml({ workers: 1, extra: `workers: [${worker}]\n${extra}` })
}

let stage: Stage
let hand: Hand

beforeAll(async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': labelled() } })
  await stage.up()
  hand = await byHand(stage)
})
afterAll(() => stage.close())

/** `plan` says it first, `up` restores it, and then there is nothing left to do. */
async function isRestored(expected: { titles: readonly string[]; reason?: string }): Promise<void> {
  const { plan } = await stage.plan()
  expect(titlesOf(plan)).toEqual(expect.arrayContaining([...expected.titles]))
  if (expected.reason !== undefined) expect(plan.steps.map(({ reason }) => reason)).toContain(expected.reason)
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const before = mutatingCalls(stage.lab)
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do', changed: 0 })
  expect(mutatingCalls(stage.lab)).toEqual(before)
}

test('memory that was changed by hand is set back, without a restart when it runs with the right one still', async () => {
  await hand.set('dev-wk-1', { memory: 2048 })
  expect(titlesOf((await stage.plan()).plan)).toEqual(['set memory of the VM of dev-wk-1'])
  await isRestored({ titles: ['set memory of the VM of dev-wk-1'], reason: 'ram 2 GiB -> 4 GiB' })
  expect(await hand.options('dev-wk-1')).toMatchObject({ memory: '4096' })
})

test('nothing is done that was declined, that was not shown, that something undoes, or that the lease does not cover', async () => {
  await hand.set('dev-wk-1', { memory: 2048 })
  const changes = () => mutatingCalls(stage.lab).filter((call) => !call.includes('/pools'))
  const before = changes()
  expect(await stage.up({ confirm: async () => false })).toEqual({ outcome: 'declined', changed: 0 })
  expect(changes()).toEqual(before)

  let late = 0
  const now = () => systemClock.now() + late
  const onEvent = ({ type }: RunEvent) => {
    if (type === 'round.started') late = 121_000
  }
  await expect(stage.up({ leaseClock: { ...systemClock, now }, onEvent })).rejects.toThrow(
    /last renewed 12\d seconds ago/,
  )
  expect(changes()).toEqual(before)

  const undone = (world: World): World => {
    const { setOptions } = world.proxmox.machines
    const machines: typeof world.proxmox.machines = {
      ...world.proxmox.machines,
      setOptions: async (...args) => {
        await setOptions(...args)
        await hand.set('dev-wk-1', { memory: 2048 })
      },
    }
    return { ...world, proxmox: { ...world.proxmox, machines } }
  }
  await expect(stage.up({ through: undone })).rejects.toMatchObject({ fix: expect.stringMatching(/^Something undoes/) })

  const seen = changes().length
  const confirm = async () => {
    await hand.set('dev-cp-1', { memory: 2048 })
    return true
  }
  await expect(stage.up({ confirm })).rejects.toThrow('it would now also "set memory of the VM of dev-cp-1"')
  expect(changes()).toHaveLength(seen + 1)
  expect(stage.events.at(-1)).toMatchObject({ type: 'run.finished', outcome: 'refused', changed: 0 })
  await isRestored({ titles: ['set memory of the VM of dev-cp-1', 'set memory of the VM of dev-wk-1'] })
})

test('a tag of ours that was removed comes back, beside a tag and notes of the user, which stay byte for byte', async () => {
  const { description = '' } = await hand.options('dev-wk-1')
  const notes = `Bought 2024, see "inventory" #7 — ü\n\n${description}\n\n  indented last line`
  await hand.set('dev-wk-1', { tags: 'mine', description: notes })
  await isRestored({ titles: ['set tags of the VM of dev-wk-1'] })
  const after = await hand.options('dev-wk-1')
  expect(after.tags?.split(';').sort()).toEqual(['ichor', 'ichor-dev', 'mine'])
  expect(after.description).toBe(notes)
})

test('a VM that was stopped is started, and is set right before it starts', async () => {
  stage.events.splice(0)
  await hand.stop('dev-wk-1')
  await hand.set('dev-wk-1', { cores: 1 })
  await isRestored({ titles: ['set cores of the VM of dev-wk-1', 'start dev-wk-1'], reason: 'cpu 1 -> 2' })
  expect(stage.events.filter(({ type }) => type === 'step.started')).not.toContainEqual(
    expect.objectContaining({ step: expect.stringContaining('restart-vm') }),
  )
})

test('a config that was edited on the node is set back', async () => {
  const node = hand.world.talos.node({ machine: 'dev-wk-1', address: '10.0.10.20' })
  const config = await node.resources.machineConfig(hand.signal)
  await node.applyConfiguration(
    config.replace(/^machine:$/m, 'machine:\n  sysctls:\n    vm.swappiness: "1"'),
    { mode: 'no-reboot' },
    hand.signal,
  )
  await isRestored({ titles: ['change the config of dev-wk-1'], reason: 'machine.sysctls.vm.swappiness changed' })
  expect(await node.resources.machineConfig(hand.signal)).toBe(config)
})

test('a machine that is off when the inventory changes its config takes it in the same run that starts it', async () => {
  const patch = 'patches: [{ machine: { sysctls: { vm.swappiness: "10" } } }], taints:'
  await hand.stop('dev-wk-1')
  await stage.write('cluster.yaml', labelled().replace('taints:', patch))
  expect(notesOf((await stage.plan()).plan)).toContain(
    'dev-wk-1 is off: its config is compared once it runs, and changed if it differs.',
  )
  await isRestored({ titles: ['start dev-wk-1'] })
  const node = hand.world.talos.node({ machine: 'dev-wk-1', address: '10.0.10.20' })
  expect(await node.resources.machineConfig(hand.signal)).toMatch(/vm\.swappiness: "?10/)

  // And back.
  await hand.stop('dev-wk-1')
  await stage.write('cluster.yaml', labelled())
  await isRestored({ titles: ['start dev-wk-1'] })
  expect(await node.resources.machineConfig(hand.signal)).not.toContain('swappiness')
})

test('an ISO that was put back into the drive is ejected, and the file stays', async () => {
  const { host } = await hand.vm('dev-wk-1')
  const { images, storage } = hand.world.proxmox
  await hand.wait(images.upload(host, 'local', 'iso', 'rescue.iso', new Uint8Array(2048), hand.signal))
  await hand.set('dev-wk-1', { ide2: 'local:iso/rescue.iso,media=cdrom' })
  await isRestored({ titles: ['eject the media of dev-wk-1'], reason: 'a medium is in its drive' })
  expect(await hand.options('dev-wk-1')).toMatchObject({ ide2: 'none,media=cdrom' })
  expect((await storage.content(host, 'local', 'iso', hand.signal)).map(({ volid }) => volid)).toEqual([
    'local:iso/rescue.iso',
  ])
})

test('nodes that were deleted from Kubernetes come back as they were, also when an answer is lost', async () => {
  const api = await hand.world.kubernetes.at([{ host: '10.0.10.10', port: 6443 }])
  const nodes = async () =>
    (await api.nodes(hand.signal)).map(({ name, ready, labels, taints }) => ({ name, ready, labels, taints }))
  const before = await nodes()
  for (const name of ['dev-cp-2', 'dev-wk-1']) await api.deleteNode(name, hand.signal)
  stage.lab.faults.add({ match: { surface: 'talos', method: 'ServiceRestart' }, action: { kind: 'drop-answer' } })
  const titles = [
    'restart the kubelet of dev-cp-2',
    'restart the kubelet of dev-wk-1',
    'set labels and taints of node dev-wk-1',
  ]
  expect(titlesOf((await stage.plan()).plan)).toEqual(titles)
  await isRestored({ titles, reason: 'its node is gone from Kubernetes' })
  expect(stage.lab.faults.list().map(({ hits }) => hits)).toEqual([1])
  stage.lab.faults.clear()
  expect(await nodes()).toEqual(before)
})

test('a disk that CSI hot-plugged is no drift and stays', async () => {
  await hand.wait(
    hand.world.proxmox.machines.configure(
      await hand.vm('dev-wk-1'),
      { set: { scsi5: 'local-lvm:1,serial=pvc-1' } },
      hand.signal,
    ),
  )
  const plugged = (await hand.options('dev-wk-1')).scsi5
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
  expect((await hand.options('dev-wk-1')).scsi5).toBe(plugged)
})

test('a disk that the inventory adds is all that a made machine gets: no config ISO is uploaded, the tags of the user stay', async () => {
  const { tags = '' } = await hand.options('dev-wk-1')
  const uploads = () => mutatingCalls(stage.lab).filter((call) => call.includes('/upload'))
  const before = uploads()
  const yaml = labelled()
  await stage.write('cluster.yaml', yaml.replace(/( worker: .*disk: 20G)/, '$1, disks: [5G]'))
  await isRestored({ titles: ['give dev-wk-1 the disks that it lacks'] })
  expect(uploads()).toEqual(before)
  expect(await hand.options('dev-wk-1')).toMatchObject({ tags, scsi1: expect.stringContaining('size=5G') })
  await stage.write('cluster.yaml', yaml)
})

test('a config that takes effect only with a reboot: each machine is drained, rebooted and back, also when answers are lost', async () => {
  const patch = 'talos: { patches: { cluster: [{ machine: { env: { GRPC_GO_LOG_SEVERITY_LEVEL: info } } }] } }\n'
  await stage.write('cluster.yaml', labelled(patch))
  const titles = ['cp-1', 'cp-2', 'cp-3', 'wk-1'].flatMap((name) => [
    `drain dev-${name}`,
    `change the config of dev-${name} and reboot it`,
    `let dev-${name} take work again`,
  ])
  expect(titlesOf((await stage.plan()).plan)).toEqual(titles)
  for (const method of ['ApplyConfiguration', 'Reboot'])
    stage.lab.faults.add({ match: { surface: 'talos', method }, action: { kind: 'drop-answer' } })
  await isRestored({ titles, reason: 'machine.env.GRPC_GO_LOG_SEVERITY_LEVEL changed, needs a reboot' })
  expect(stage.lab.faults.list().map(({ hits }) => hits)).toEqual([1, 1])
  stage.lab.faults.clear()
  etcdNeverLostItsMajority(stage.lab)
  await stage.write('cluster.yaml', labelled())
  await stage.up()
})

test('a worker that was deleted is made again and takes work', async () => {
  await hand.remove('dev-wk-1')
  await isRestored({
    titles: ['delete node dev-wk-1 from Kubernetes', 'start dev-wk-1'],
    reason: 'new machine',
  })
  const { observed } = await stage.plan()
  expect(ifSeen(observed.kubernetes)?.nodes.map(({ ready }) => ready)).toEqual([true, true, true, true])
})

test('a control plane whose system disk was removed begins again, and its old etcd member goes first', async () => {
  await hand.stop('dev-cp-2')
  for (const slot of ['scsi0', 'unused0'])
    await hand.world.proxmox.machines.setOptions(await hand.vm('dev-cp-2'), { delete: [slot] }, hand.signal)
  await isRestored({
    titles: ['remove the member of dev-cp-2 from etcd', 'give dev-cp-2 its disks and its config', 'start dev-cp-2'],
    reason: 'dev-cp-2 has no system disk any more',
  })
  expect(ifSeen((await stage.plan()).observed.etcd)?.healthy).toHaveLength(3)
})

test('a control plane that was deleted leaves etcd through a healthy one before the new one starts', async () => {
  await hand.remove('dev-cp-1')
  await isRestored({ titles: ['remove the member of dev-cp-1 from etcd', 'start dev-cp-1'] })
  expect(await etcdMembers(stage)).toEqual(['dev-cp-1', 'dev-cp-2', 'dev-cp-3'])
  expect(ifSeen((await stage.plan()).observed.etcd)?.healthy).toHaveLength(3)
  expect(bootstraps(stage.lab)).toBe(1)
  etcdNeverLostItsMajority(stage.lab)
})
