import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FaultAction } from '../core/faults.js'
import { type SmallLab, startSmallLab } from './testing/small-lab.js'

let lab: SmallLab
let kills = 0
beforeEach(async () => {
  kills = 0
  lab = await startSmallLab({ onKillCaller: () => kills++ })
})
afterEach(() => lab.close())

const create = () => lab.api('POST', '/pools', { poolid: 'struck' }).catch((error: Error) => error)
const isThere = async () => JSON.stringify((await lab.api('GET', '/pools')).data).includes('struck')

test.each<{ action: FaultAction; acts: boolean; answers: number | undefined; killed: number }>([
  { action: { kind: 'refuse' }, acts: false, answers: undefined, killed: 0 },
  { action: { kind: 'delay', modelMs: 100 }, acts: true, answers: 200, killed: 0 },
  { action: { kind: 'status', status: 503, message: 'busy' }, acts: false, answers: 503, killed: 0 },
  { action: { kind: 'drop-answer' }, acts: true, answers: undefined, killed: 0 },
  { action: { kind: 'kill-caller' }, acts: true, answers: undefined, killed: 1 },
  { action: { kind: 'cut-stream' }, acts: true, answers: undefined, killed: 0 },
])('$action.kind happens once: acts $acts, answers $answers', async ({ action, acts, answers, killed }) => {
  lab.faults.add({ match: { method: 'POST', path: '^/pools$' }, action })
  const answer = await create()
  expect(answer instanceof Error ? undefined : answer.status).toBe(answers)
  expect(await isThere()).toBe(acts)
  expect(kills).toBe(killed)
  if (!acts) expect(await create()).toMatchObject({ status: 200 })
})

test.each<{ action: FaultAction; ends: RegExp; leaves: object }>([
  { action: { kind: 'kill-task' }, ends: /unable to read tail/, leaves: { data: { lock: 'create' } } },
  {
    action: { kind: 'fail-task', message: 'no luck' },
    ends: /^unable to create VM 100 - no luck$/,
    leaves: { status: 500 },
  },
])('$action.kind: the worker that the call starts ends with $ends', async ({ action, ends, leaves }) => {
  lab.faults.add({ match: { host: 'pve1', nthMutating: 1 }, action })
  expect(await lab.task('POST', '/nodes/pve1/qemu', { vmid: 100 })).toMatch(ends)
  expect(await lab.api('GET', '/nodes/pve1/qemu/100/config')).toMatchObject(leaves)
  expect(await lab.task('POST', '/nodes/pve1/qemu', { vmid: 101 })).toBe('OK')
})

test('a rule that meets a call without a worker leaves the workers of other calls alone', async () => {
  lab.faults.add({ match: { path: '^/pools$' }, action: { kind: 'kill-task' } })
  expect(await isThere()).toBe(false)
  expect(await lab.task('POST', '/nodes/pve1/qemu', { vmid: 100 })).toBe('OK')
})

test('a rule about a VM meets calls about that VM only', async () => {
  for (const vmid of [100, 101]) await lab.task('POST', '/nodes/pve1/qemu', { vmid })
  lab.faults.add({ match: { vmid: 101 }, action: { kind: 'status', status: 500, message: 'struck' } })
  expect(await lab.api('GET', '/nodes/pve1/qemu/100/config')).toMatchObject({ status: 200 })
  expect(await lab.api('GET', '/nodes/pve1/qemu/101/config')).toMatchObject({ status: 500, reason: 'struck' })
})

test('without quorum nothing is written, and reads go on', async () => {
  lab.sim.setQuorate(false)
  expect(await create()).toMatchObject({ status: 500 })
  expect(await lab.api('GET', '/pools')).toMatchObject({ status: 200 })
  lab.sim.setQuorate(true)
  expect(await create()).toMatchObject({ status: 200 })
})
