import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { PlanRefused } from '../../src/errors.js'
import { encodeMedium } from '../../src/simulator/core/medium.js'
import { byHand } from '../support/by-hand.js'
import {
  anInventoryFolder,
  aStage,
  aTopology,
  clusterYaml,
  mutatingCalls,
  type Stage,
  titlesOf,
} from '../support/lab.js'

let stage: Stage
afterEach(() => stage.close())

const one = (extra: string) => ({ 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0, extra }) })

test('a site without a factory: the image is uploaded from this computer, and nobody asks the factory', async () => {
  const folder = await anInventoryFolder(one('talos:\n  image_file: talos.qcow2\n'))
  const image = {
    kind: 'disk-image',
    talos: 'v1.13.9',
    schematic: 'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515',
    platform: 'nocloud',
    arch: 'amd64',
    extensions: ['siderolabs/qemu-guest-agent'],
    kernelArgs: [],
    secureBoot: false,
    nominalSize: 110_000_000,
    virtualSize: 1246 * 1024 ** 2,
  } as const
  await writeFile(join(folder, 'talos.qcow2'), encodeMedium(image))
  stage = await aStage({ topology: aTopology(), files: {}, folder })
  expect(titlesOf((await stage.plan()).plan)).toContain('upload talos.qcow2 to local on pve1')
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(stage.lab.ledger.entries().filter(({ surface }) => surface === 'factory')).toEqual([])
})

test('an unknown extension is reported by its name before anything is downloaded', async () => {
  stage = await aStage({ topology: aTopology(), files: one('talos:\n  extensions: [siderolabs/no-such-thing]\n') })
  const failure = await stage.up().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(PlanRefused)
  expect(String(failure)).toContain('siderolabs/no-such-thing')
  expect(mutatingCalls(stage.lab).filter((call) => /download-url|schematics/.test(call))).toEqual([])
})

test('a storage that may not hold images is refused with the way out, which is --enable-content', async () => {
  const GiB = 1024 ** 3
  const storages = [
    { id: 'local', type: 'dir' as const, content: ['iso', 'backup'], shared: false, total: 200 * GiB },
    { id: 'local-lvm', type: 'lvmthin' as const, content: ['images'], shared: false, total: 500 * GiB },
  ]
  stage = await aStage({ topology: aTopology({ storages }), files: one('') })
  const failure = await stage.up().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(PlanRefused)
  expect((failure as PlanRefused).fix).toContain('--enable-content')
  expect(mutatingCalls(stage.lab)).toEqual([])
  expect(await stage.up({ mayEnableContent: true })).toMatchObject({ outcome: 'done' })
  expect((await stage.plan()).plan.steps).toEqual([])
})

test('a template is replaced when the version changes: new machines come from the new one, those that run are upgraded', async () => {
  const yaml = (workers: number, talos: string) =>
    clusterYaml({ controlPlanes: 1, workers, extra: 'talos: { boot: template }\n' }).replace('v1.13.9', talos)
  stage = await aStage({ topology: aTopology(), files: { 'cluster.yaml': yaml(1, 'v1.13.8') } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const names = async () => (await stage.plan()).observed.templates.map(({ name }) => name)
  const [first = ''] = await names()
  await stage.write('cluster.yaml', yaml(2, 'v1.13.9'))
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(await names()).not.toContain(first)
  const { observed } = await stage.plan()
  expect(observed.machines.map(({ talos }) => (talos.reach === 'secured' ? talos.version : ''))).toEqual([
    'v1.13.9',
    'v1.13.9',
    'v1.13.9',
  ])
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
})

test('a host that cannot reach the factory gets the image from this computer', async () => {
  stage = await aStage({ topology: aTopology(), files: one('') })
  const match = { surface: 'proxmox', method: 'POST', path: 'download-url' } as const
  const message = 'download failed: Resolving factory... failed: Name or service not known.'
  stage.lab.faults.add({ match, action: { kind: 'fail-task', message } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(mutatingCalls(stage.lab).filter((call) => /download-url|storage\/local\/upload/.test(call))).toEqual(
    expect.arrayContaining([expect.stringContaining('download-url'), expect.stringContaining('upload')]),
  )
  const notes = stage.events.flatMap((event) => (event.type === 'step.noted' ? [event.text] : []))
  expect(notes).toContainEqual(expect.stringContaining('it is downloaded here and uploaded'))
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
})

test('an ISO that nobody has put there is refused before any VM exists', async () => {
  stage = await aStage({ topology: aTopology(), files: one('talos: { boot: iso, iso: "local:iso/mine.iso" }\n') })
  const failure = await stage.up().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(PlanRefused)
  expect(String(failure)).toContain('local:iso/mine.iso is not on pve1')
  expect(mutatingCalls(stage.lab)).toEqual([])
})

test('an ISO of the user installs his extensions: their schematic is registered before', async () => {
  const extra = 'talos: { boot: iso, iso: "local:iso/mine.iso", extensions: [siderolabs/iscsi-tools] }\n'
  const iso = {
    kind: 'iso',
    talos: 'v1.13.9',
    schematic: '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba',
    platform: 'nocloud',
    arch: 'amd64',
    extensions: [],
    kernelArgs: [],
    secureBoot: false,
    nominalSize: 110_000_000,
    virtualSize: 0,
  } as const
  stage = await aStage({ topology: aTopology(), files: one(extra) })
  const hand = await byHand(stage)
  await hand.wait(hand.world.proxmox.images.upload('pve1', 'local', 'iso', 'mine.iso', encodeMedium(iso), hand.signal))
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(mutatingCalls(stage.lab)).toContain('factory /schematics')
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
})

test.each(['v1.13.9', 'v1.14.1'])(
  'Talos %s installs itself from an ISO, and the disk is found by its link',
  async (version) => {
    const [name = '', yaml = ''] = Object.entries(one('talos: { boot: iso }\n'))[0] ?? []
    stage = await aStage({ topology: aTopology(), files: { [name]: yaml.replace('v1.13.9', version) } })
    expect(await stage.up()).toMatchObject({ outcome: 'done' })
    const installed = stage.lab.ledger.entries().filter(({ event }) => event === 'machine.installed')
    expect(installed.map(({ detail }) => [detail?.disk, detail?.talos])).toEqual([['scsi0', version]])
  },
)
