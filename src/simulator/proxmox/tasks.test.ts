import { afterEach, expect, test, vi } from 'vitest'
import { fake } from '../../../tests/support/fake.js'
import { createSimClock } from '../core/clock.js'
import type { DatacenterState } from './state.js'
import { createTasks, type Tasks } from './tasks.js'

const clock = createSimClock({ speed: 1000 })
afterEach(() => clock.stop())

/** A worker that has just started a program of 60 model seconds. */
async function aCopyingWorker(): Promise<{ tasks: Tasks; upid: string; isCopied: () => boolean }> {
  const state = fake<DatacenterState>({ hosts: { pve: { nextPid: 1, bootedAt: 0 } }, tasks: [] })
  const tasks = createTasks(state, clock)
  let copied = false
  const upid = await new Promise<string>((begun) => {
    tasks.start({ host: 'pve', type: 'imgcopy', id: '', user: 'root@pam' }, (worker) => {
      worker.log('copying')
      const copy = worker.runProgram(60_000, () => {
        copied = true
      })
      begun(worker.upid)
      return copy
    })
  })
  return { tasks, upid, isCopied: () => copied }
}

test('a worker that is killed leaves its program, which comes to its end', async () => {
  const { tasks, upid, isCopied } = await aCopyingWorker()
  await tasks.kill(upid, false)
  expect(tasks.find(upid)).toMatchObject({ status: 'stopped', exitstatus: 'unexpected status', log: ['copying'] })
  await vi.waitFor(() => expect(isCopied()).toBe(true))
})

test.each([
  { how: 'killed with its program', end: (tasks: Tasks, upid: string) => tasks.kill(upid, true) },
  { how: 'stopped', end: (tasks: Tasks, upid: string) => tasks.stop(upid) },
])('a worker that is $how leaves nothing that goes on', async ({ end }) => {
  const { tasks, upid, isCopied } = await aCopyingWorker()
  await end(tasks, upid)
  await clock.sleep(90_000)
  expect(isCopied()).toBe(false)
})
