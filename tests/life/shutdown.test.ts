import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterEach, expect, test } from 'vitest'
import { PlanRefused } from '../../src/errors.js'
import { byHand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, mutatingCalls, type Stage, titlesOf } from '../support/lab.js'

const GiB = 1024 ** 3
const recipient = await identityToRecipient(await generateX25519Identity())
const plain = `secrets: plain\nbackup: { etcd: { recipients: [${recipient}] } }\n`
const nas = 'guests:\n  - { name: nas, host: pve1, vmid: 150, cpu: 1, ram: 1G, disk: 4G, create: true }\n'

let stage: Stage
afterEach(() => stage.close())

const aCluster = (extra = '', more: Parameters<typeof aTopology>[0] = { hosts: 3 }) =>
  aStage({
    speed: 1000,
    topology: aTopology(more),
    files: { 'cluster.yaml': clusterYaml({ extra: `${plain}${extra}` }) },
  })

const vms = () => Object.values(stage.lab.proxmox.save().state.vms)
const running = () => vms().flatMap(({ running: isOn, config }) => (isOn ? [String(config.name)] : []))

/** The steps that were done, by kind and machine, in the order in which they ended. */
const done = (kind: string) =>
  stage.events.flatMap((event) =>
    event.type === 'step.finished' && event.step.startsWith(`${kind}?`)
      ? [/"(?:machine|guest)":"([\w-]+)"/.exec(event.step)?.[1]]
      : [],
  )

test('everything goes off in order, and up brings it back in order', async () => {
  stage = await aCluster(nas)
  await stage.up()
  expect(await stage.shutDown()).toMatchObject({ outcome: 'done' })
  expect(running()).toEqual(['nas'])
  const offs = done('shut-down-machine')
  expect(offs.slice(0, 2).sort()).toEqual(['dev-wk-1', 'dev-wk-2'])
  expect(offs.slice(2).sort()).toEqual(['dev-cp-1', 'dev-cp-2', 'dev-cp-3'])
  const snapshots = () =>
    stage.events.filter((event) => event.type === 'step.finished' && event.step.startsWith('snapshot-etcd'))
  expect(snapshots()).toHaveLength(1)
  expect(await stage.shutDown()).toEqual({ outcome: 'nothing-to-do', changed: 0 })

  expect(await stage.shutDown({ withGuests: true })).toMatchObject({ outcome: 'done', changed: 1 })
  expect(running()).toEqual([])
  expect(snapshots()).toHaveLength(1)

  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(running().sort()).toEqual(['dev-cp-1', 'dev-cp-2', 'dev-cp-3', 'dev-wk-1', 'dev-wk-2', 'nas'])
  const starts = [...done('start-guest'), ...done('start-machine').slice(-5)]
  expect(starts[0]).toBe('nas')
  expect(starts.slice(1, 4).sort()).toEqual(['dev-cp-1', 'dev-cp-2', 'dev-cp-3'])
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  expect((await stage.plan()).observed.machines.flatMap(({ mark }) => mark.more?.shutdown ?? [])).toEqual([])
})

test('a host that starts its machines again is no failure: up notes it, and another shutdown takes another snapshot', async () => {
  stage = await aCluster()
  await stage.up()
  await stage.shutDown()
  const hand = await byHand(stage)
  for (const name of ['dev-cp-1', 'dev-cp-2', 'dev-cp-3', 'dev-wk-1', 'dev-wk-2']) {
    const task = await hand.world.proxmox.machines.start(await hand.vm(name), hand.signal)
    await hand.world.proxmox.tasks.wait(task, hand.signal)
  }
  await expect
    .poll(async () => (await stage.plan()).observed.machines.every(({ node }) => node?.ready), { timeout: 30_000 })
    .toBe(true)
  expect(titlesOf((await stage.plan()).plan)).toEqual(
    ['cp-1', 'cp-2', 'cp-3', 'wk-1', 'wk-2'].map((name) => `note that dev-${name} is on again`),
  )
  await stage.shutDown()
  expect(running()).toEqual([])
  const taken = stage.events.filter((event) => event.type === 'step.finished' && event.step.startsWith('snapshot-etcd'))
  expect(taken).toHaveLength(2)
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
})

test('Proxmox HA leaves the machines off, and has them again after up', async () => {
  const { storages, ...hosts } = aTopology({ hosts: 3 })
  const shared = { id: 'ceph', type: 'rbd', content: ['images'], shared: true, total: 4000 * GiB } as const
  const yaml = clusterYaml({ extra: `${plain}placement:\n  ha: true\n` }).replace(
    'datastore: local-lvm',
    'datastore: ceph',
  )
  stage = await aStage({
    speed: 1000,
    topology: { ...hosts, storages: [...storages, shared] },
    files: { 'cluster.yaml': yaml },
  })
  await stage.up()
  await stage.shutDown()
  const { world, signal } = await byHand(stage)
  await world.clock.sleep(60_000, signal)
  expect(running()).toEqual([])
  expect(stage.lab.proxmox.save().state.tasks.filter(({ type }) => type === 'hastart')).toEqual([])
  await stage.up()
  const { resources } = await world.proxmox.highAvailability.read(9, signal)
  expect(resources.map(({ state }) => state)).toEqual(Array(5).fill('started'))
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})

test('without a majority the snapshot is refused before anything, and --no-snapshot shuts the rest down', async () => {
  stage = await aCluster()
  await stage.up()
  const hand = await byHand(stage)
  for (const name of ['dev-cp-1', 'dev-cp-2']) {
    const task = await hand.world.proxmox.machines.stop(await hand.vm(name), hand.signal)
    await hand.world.proxmox.tasks.wait(task, hand.signal)
  }
  const before = mutatingCalls(stage.lab).length
  const refused = await stage.shutDown().catch((thrown: unknown) => thrown)
  expect(refused).toBeInstanceOf(PlanRefused)
  expect(refused).toMatchObject({ fix: expect.stringContaining('ichor shutdown --no-snapshot') })
  expect(mutatingCalls(stage.lab)).toHaveLength(before)
  expect(await stage.shutDown({ takesSnapshot: false })).toMatchObject({ outcome: 'done' })
  expect(running()).toEqual([])
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})
