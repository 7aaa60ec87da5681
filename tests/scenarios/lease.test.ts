import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/clock.js'
import { LeaseHeld } from '../../src/ownership/lease-error.js'
import type { Clock } from '../../src/world.js'
import { byHand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'
import { bootstraps, whatIsThere } from '../support/left-behind.js'

let stage: Stage
afterEach(() => stage.close())

const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0 }) }

test('two at once: one works, the other learns who holds the lease since when, and changes nothing', async () => {
  stage = await aStage({ speed: 1000, topology: aTopology(), files })
  // The first one is held up in its middle, so that the second one comes while it is at work.
  stage.lab.faults.add({ match: { method: 'Bootstrap' }, action: { kind: 'delay', modelMs: 4_000_000 } })
  const first = stage.up()
  await vi.waitUntil(() => stage.lab.faults.list().some(({ hits }) => hits === 1), { timeout: 40_000 })
  const before = mutatingCalls(stage.lab).length
  const other = await stage.up().catch((error: unknown) => error)
  expect(mutatingCalls(stage.lab)).toHaveLength(before)
  expect(other).toBeInstanceOf(LeaseHeld)
  expect((other as LeaseHeld).message).toMatch(/, since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/)
  expect((other as LeaseHeld).exitCode).toBe(3)
  expect((other as LeaseHeld).message).toContain(`(pid ${process.pid}, run `)
  const { world, signal } = await byHand(stage)
  const leases = (await world.proxmox.pools.list(signal)).filter(({ id }) => id.includes('lease'))
  expect(leases).toHaveLength(1)
  expect(JSON.parse(leases[0]?.comment ?? '')).toMatchObject({ pid: process.pid, intent: [2000] })
  expect(await first).toMatchObject({ outcome: 'done' })
  expect(bootstraps(stage.lab)).toBe(1)
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
})

test('a lease that nobody renews is waited for, taken over after three minutes, and the work is done', async () => {
  stage = await aStage({ speed: 1000, topology: aTopology(), files })
  const { world, signal } = await byHand(stage)
  const { pools } = world.proxmox
  const gone = { run: 'r-1', user: 'ada', host: 'her-laptop', boot: 'another', pid: 4711, started: '1' }
  await pools.create('ichor-dev', 'made by ichor', signal)
  await pools.create('ichor-dev/lease-7', JSON.stringify({ ...gone, renewal: 3, intent: [2042] }), signal)
  const leaseClock = aClockThatSkipsLooks()
  expect(await stage.up({ leaseClock })).toMatchObject({ outcome: 'done' })
  expect(leaseClock.skipped()).toBeGreaterThanOrEqual(180_000)
  expect(stage.events).toContainEqual(
    expect.objectContaining({ type: 'run.noted', text: 'waiting for the lease of ada on her-laptop' }),
  )
  const leases = (await pools.list(signal)).filter(({ id }) => id.includes('lease'))
  expect(leases).toMatchObject([{ id: 'ichor-dev/lease-8', comment: 'free' }])
})

test('in a pool that somebody else made, destroy removes the lease and leaves the pool', async () => {
  const yaml = clusterYaml({ controlPlanes: 1, workers: 0 }).replace('proxmox:\n', 'proxmox:\n  pool: team\n')
  stage = await aStage({ speed: 1000, topology: aTopology(), files: { 'cluster.yaml': yaml } })
  const { world, signal } = await byHand(stage)
  await world.proxmox.pools.create('team', 'machines of the team', signal)
  await stage.up({ until: 'vms' })
  expect(await stage.destroy()).toMatchObject({ outcome: 'done' })
  expect((await world.proxmox.pools.list(signal)).map(({ id }) => id)).toEqual(['team'])
})

test.each([9])(
  'two operators with different inventories, the first killed at its call %i: the second leaves exactly what its own says',
  async (nth) => {
    stage = await aStage({ speed: 1000, topology: aTopology(), files })
    await stage.up()
    const before = whatIsThere(stage.lab)
    await stage.write('cluster.yaml', clusterYaml({ controlPlanes: 1, workers: 1 }))
    stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
    await stage.up().catch(() => undefined)
    expect(stage.lab.faults.list().map(({ hits }) => hits)).toEqual([1])
    stage.lab.faults.clear()
    await stage.write('cluster.yaml', clusterYaml({ controlPlanes: 1, workers: 0 }))
    await stage.up({ forceUnlock: true })
    expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
    const after = whatIsThere(stage.lab)
    expect({ ...after, pools: [] }).toEqual({ ...before, pools: [] })
    expect(bootstraps(stage.lab)).toBe(1)
  },
)

/** The wall's time, but for the seconds between two looks at somebody's lease: those pass at once. */
function aClockThatSkipsLooks(): Clock & { skipped(): number } {
  let skipped = 0
  return {
    now: () => systemClock.now() + skipped,
    monotonic: () => systemClock.monotonic() + skipped,
    sleep: async (ms, signal) => {
      if (ms > 5000) return systemClock.sleep(ms, signal)
      skipped += ms
    },
    skipped: () => skipped,
  }
}
