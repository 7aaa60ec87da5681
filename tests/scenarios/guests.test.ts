import { afterEach, expect, test } from 'vitest'
import { GiB } from '../../src/cluster/machine.js'
import { PlanRefused } from '../../src/errors.js'
import { byHand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'

let stage: Stage
afterEach(() => stage.close())

const storages = [
  { id: 'local', type: 'dir', content: ['iso', 'import'], shared: false, total: 200 * GiB },
  { id: 'local-lvm', type: 'lvmthin', content: ['images'], shared: false, total: 500 * GiB },
  { id: 'slow', type: 'lvmthin', content: ['images'], shared: false, total: 500 * GiB },
] as const

const withGuests = (...guests: readonly string[]) =>
  clusterYaml({
    controlPlanes: 1,
    workers: 0,
    extra: guests.length === 0 ? '' : `guests:\n${guests.map((guest) => `  - ${guest}\n`).join('')}`,
  })

test('guests that are added later are made once, as the inventory says, and then left alone', async () => {
  stage = await aStage({
    speed: 1000,
    topology: aTopology({ storages: [...storages] }),
    files: { 'cluster.yaml': withGuests() },
  })
  await stage.up()
  const nas =
    '{ name: nas, host: pve1, cpu: 2, ram: 2G, disk: 8G, disks: [{ size: 16G, datastore: slow }], create: true, cpu_type: host, os_type: l26, startup: "order=1,up=30" }'
  const printer = '{ name: printer, host: pve1, vmid: 150, cpu: 1, ram: 1G, disk: 4G, create: true, start: false }'
  await stage.write('cluster.yaml', withGuests(nas, printer))
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const hand = await byHand(stage)
  const { guests } = await hand.world.proxmox.cluster.resources(hand.signal)
  const [made] = guests.filter(({ name }) => name === 'nas')
  const config = made && (await hand.world.proxmox.machines.findConfig(made, hand.signal))
  expect(config?.options).toMatchObject({
    ostype: 'l26',
    cpu: 'host',
    startup: 'order=1,up=30',
    scsi0: expect.stringContaining('local-lvm:'),
    scsi1: expect.stringContaining('slow:'),
  })
  const statusOf = async (vmid: number) =>
    (await hand.world.proxmox.machines.findStatus({ host: 'pve1', vmid }, hand.signal))?.status
  await expect.poll(() => statusOf(made?.vmid ?? 0)).toBe('running')
  expect(await statusOf(150)).toBe('stopped')
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})

test('a guest is made and started before the first machine: they may need its storage', async () => {
  const nas = '{ name: nas, host: pve1, vmid: 150, cpu: 1, ram: 1G, disk: 4G, create: true, startup: "order=1,up=30" }'
  stage = await aStage({
    speed: 1000,
    topology: aTopology({ storages: [...storages] }),
    files: { 'cluster.yaml': withGuests(nas) },
  })
  let running: unknown
  const onEvent = (event: Stage['events'][number]) => {
    if (event.type === 'step.started' && event.step.startsWith('claim-machine'))
      running = stage.lab.save().proxmox.state.vms['150']?.running
  }
  await stage.up({ until: 'vms', onEvent })
  expect(running).toBeTruthy()
})

test('the missing ISO of a guest is refused by name, before anything is made', async () => {
  const nas = '{ name: nas, host: pve1, vmid: 150, cpu: 1, ram: 1G, create: true, iso: "local:iso/nas.iso" }'
  stage = await aStage({
    topology: aTopology({ storages: [...storages] }),
    files: { 'cluster.yaml': withGuests(nas) },
  })
  const failure = await stage.up().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(PlanRefused)
  expect(failure).toMatchObject({
    message: 'local:iso/nas.iso is not on pve1.',
    fix: 'Upload it there, or correct the iso of the guest nas.',
  })
  expect(mutatingCalls(stage.lab)).toEqual([])
})
