import { expect, test } from 'vitest'
import type { World } from '../world.js'
import { stepOf } from './index.js'
import type { StepContext } from './step.js'

test.each([
  { whose: 'nobody has made', comment: undefined, isDone: true },
  { whose: 'somebody else made', comment: 'our team', isDone: true },
  { whose: 'ichor made and that is not empty', comment: 'made by ichor', isDone: false },
])('the pool that $whose is gone as far as we may take it away: $isDone', async ({ comment, isDone }) => {
  let isLeaseOver = false
  const find = async () => (comment === undefined ? undefined : { id: 'ichor-dev', comment, vmids: [] })
  const world = { proxmox: { pools: { find } } } as unknown as World
  const context = {
    desired: { cluster: { pool: 'ichor-dev' } },
    signal: AbortSignal.timeout(5000),
    assertLease: () => undefined,
    endLease: async () => {
      isLeaseOver = true
    },
  } as unknown as StepContext
  expect(await stepOf('remove-pool').done({}, world, context)).toBe(isDone)
  const run = stepOf('remove-pool').run({}, world, context)
  if (isDone) await run
  else await expect(run).rejects.toThrow('The pool ichor-dev could not be removed: it is not empty.')
  expect(isLeaseOver).toBe(true)
})
