import { afterAll, beforeAll, expect, test } from 'vitest'
import { byHand, type Hand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'
import { whatIsThere } from '../support/left-behind.js'

let stage: Stage
let hand: Hand

/** One control plane on pve1, and workers where the test wants them. */
function want(...hosts: readonly string[]): string {
  const pins = hosts.map((host, index) => `dev-wk-${index + 1}: ${host}`)
  const extra = `secrets: plain\nplacement:\n  pinned: { ${['dev-cp-1: pve1', ...pins].join(', ')} }\n`
  return clusterYaml({ controlPlanes: 1, workers: hosts.length, extra })
}

beforeAll(async () => {
  const files = { 'cluster.yaml': want('pve2') }
  stage = await aStage({ speed: 2000, topology: aTopology({ hosts: 2 }), files })
})
afterAll(() => stage.close())

const up = () => stage.up({ until: 'vms', forceUnlock: true })
const seeds = () => whatIsThere(stage.lab).volumes.filter((volume) => /:iso\/|:import\/ichor-/.test(volume))

async function killedAt(match: { method: string; path: string }, run: () => Promise<unknown>): Promise<void> {
  stage.lab.faults.add({ match, action: { kind: 'kill-caller' } })
  await run().catch(() => undefined)
  expect(stage.lab.faults.list().map(({ hits }) => hits)).toEqual([1])
  stage.lab.faults.clear()
  hand = await byHand(stage)
  for (const task of await hand.world.proxmox.tasks.running('pve2', hand.signal))
    await hand.world.proxmox.tasks.wait(task, hand.signal)
}

test('killed after the upload, the machine deleted by hand and made elsewhere: its seed is deleted', async () => {
  await killedAt({ method: 'POST', path: '/nodes/pve2/storage/local/upload' }, up)
  await hand.wait(hand.world.proxmox.machines.remove(await hand.vm('dev-wk-1'), hand.signal))
  expect(seeds()).toContainEqual(expect.stringMatching(/^pve2 local:import\/ichor-\w+-dev-wk-1-\*\.raw$/))
  await stage.write('cluster.yaml', want('pve1'))
  expect(await up()).toMatchObject({ outcome: 'done' })
  expect(seeds()).toEqual([])
})

test('killed after the disks were made, the upload is deleted before the mark says made', async () => {
  await stage.write('cluster.yaml', want('pve1', 'pve2'))
  await killedAt({ method: 'POST', path: '/nodes/pve2/qemu/\\d+/config' }, up)
  expect(await hand.options('dev-wk-2')).toMatchObject({ scsi30: expect.stringContaining('serial=ichor-seed') })
  expect(seeds()).toHaveLength(1)
  expect(await up()).toMatchObject({ outcome: 'done' })
  expect(seeds()).toEqual([])
})

test('a made machine that lost its system disk is in the making again before it gets another seed', async () => {
  await hand.stop('dev-wk-2')
  for (const slot of ['scsi0', 'unused0'])
    await hand.world.proxmox.machines.setOptions(await hand.vm('dev-wk-2'), { delete: [slot] }, hand.signal)
  await killedAt({ method: 'POST', path: '/nodes/pve2/storage/local/upload' }, up)
  expect(await hand.options('dev-wk-2')).toMatchObject({ description: expect.stringMatching(/^stage: making$/m) })
  expect(seeds()).toHaveLength(1)
  expect(await up()).toMatchObject({ outcome: 'done' })
  expect(seeds()).toEqual([])
})

test('a destruction that is killed between a seed and its VM leaves neither, nor one that was forgotten long ago', async () => {
  const { cluster } = (await stage.plan()).desired
  const seedOf = (node: string) => `ichor-${cluster.id}-${node}-0123456789ab.iso`
  const { images } = hand.world.proxmox
  for (const [host, name] of [
    ['pve1', seedOf('dev-wk-1')],
    ['pve2', seedOf('dev-wk-7')],
    ['pve2', 'rescue.iso'],
  ] as const)
    await hand.wait(images.upload(host, 'local', 'iso', name, new Uint8Array(2048), hand.signal))
  await killedAt({ method: 'DELETE', path: '/content/' }, () => stage.destroy({ forceUnlock: true }))
  expect(await stage.destroy({ forceUnlock: true })).toMatchObject({ outcome: 'done' })
  expect(seeds()).toEqual(['pve2 local:iso/rescue.iso'])
  expect(whatIsThere(stage.lab)).toMatchObject({ vms: [], pools: [] })
})
