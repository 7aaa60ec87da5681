import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSimClock } from '../../core/clock.js'
import { type SmallLab, startSmallLab } from '../testing/small-lab.js'

const roundMs = 100_000_000
const clock = createSimClock({ speed: 1000 })
let elapsed = 0
let lab: SmallLab
beforeAll(async () => {
  const now = () => clock.now() + elapsed
  lab = await startSmallLab({ statisticsDelayMs: roundMs, clock: { ...clock, now } })
})
afterAll(async () => {
  await lab.close()
  clock.stop()
})

const qemu = '/nodes/pve1/qemu'
const inStatistics = async () => {
  const { data } = await lab.api('GET', '/cluster/resources', { type: 'vm' })
  return (data as { status: string }[])[0]?.status
}
const really = async () => (await lab.api('GET', `${qemu}/100/status/current`)).data

test.each([
  { done: 'created', path: qemu, form: { vmid: 100 }, before: 'unknown', after: 'stopped' },
  { done: 'started', path: `${qemu}/100/status/start`, form: {}, before: 'stopped', after: 'running' },
  { done: 'stopped', path: `${qemu}/100/status/stop`, form: {}, before: 'running', after: 'stopped' },
])('a VM that was $done is $before in the statistics until their daemon has looked', async (row) => {
  expect(await lab.task('POST', row.path, row.form)).toBe('OK')
  expect(await really()).toMatchObject({ status: row.after })
  expect(await inStatistics()).toBe(row.before)
  elapsed += roundMs
  expect(await inStatistics()).toBe(row.after)
})
