import { afterEach, expect, test } from 'vitest'
import { PlanRefused } from '../../src/errors.js'
import { aStage, aTopology, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'

const GiB = 1024 ** 3
let stage: Stage
afterEach(() => stage.close())

/** A file system of 60 GiB, of which the host keeps 3 for itself: neither used nor free. */
const storages = [
  { id: 'local', type: 'dir' as const, content: ['iso', 'import'], shared: false, total: 200 * GiB },
  { id: 'local-lvm', type: 'dir' as const, content: ['images'], shared: false, total: 60 * GiB },
]

const yaml = (disk: string) =>
  clusterYaml({ controlPlanes: 1, workers: 0 }).replace(
    /control_plane: .*/,
    `control_plane: { cpu: 2, ram: 4GiB, disk: ${disk} }`,
  )

test('space that a file system keeps for itself is not free: a new disk does not get it', async () => {
  stage = await aStage({ topology: aTopology({ storages }), files: { 'cluster.yaml': yaml('58G') } })
  const failure = await stage.up().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(PlanRefused)
  expect(String(failure)).toContain('57 GiB of disk space free on local-lvm')
  expect(mutatingCalls(stage.lab)).toEqual([])
  await stage.write('cluster.yaml', yaml('50G'))
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
})

test('nor does a disk that grows', async () => {
  stage = await aStage({ topology: aTopology({ storages }), files: { 'cluster.yaml': yaml('20G') } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const before = mutatingCalls(stage.lab).length
  const { free, total, used } = await seenSpace()
  expect(total - used).toBeGreaterThan(free)
  await stage.write('cluster.yaml', yaml(`${Math.floor(20 + free / GiB + 1)}G`))
  const failure = await stage.up().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(PlanRefused)
  expect(String(failure)).toContain('local-lvm on pve1 has')
  expect(mutatingCalls(stage.lab)).toHaveLength(before)
})

async function seenSpace() {
  const { world, close } = await stage.connect()
  try {
    const signal = AbortSignal.timeout(20_000)
    const { storages: seen } = await world.proxmox.cluster.resources(signal)
    const free = (await world.proxmox.storage.free('pve1', signal)).get('local-lvm') ?? 0
    const { total = 0, used = 0 } = seen.find(({ storage }) => storage === 'local-lvm') ?? {}
    return { free, total, used }
  } finally {
    await close()
  }
}
