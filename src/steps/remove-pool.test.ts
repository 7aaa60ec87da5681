import { expect, test } from 'vitest'
import { aContext, aDesired } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { stepOf } from '../capabilities/steps.js'
import type { World } from '../world.js'

const desired = await aDesired()
const { pool } = desired.cluster

test.each([
  { whose: 'nobody has made', comment: undefined, isDone: true },
  { whose: 'somebody else made', comment: 'our team', isDone: true },
  { whose: 'ichor made and that is not empty', comment: 'made by ichor', isDone: false },
])('the pool that $whose is gone as far as we may take it away: $isDone', async ({ comment, isDone }) => {
  let isLeaseOver = false
  const find = async () => (comment === undefined ? undefined : { id: pool, comment, vmids: [] })
  const world = aStub<World>({ proxmox: { pools: { find } } })
  const context = aContext({
    desired,
    endLease: async () => {
      isLeaseOver = true
    },
  })
  const step = stepOf('remove-pool', {})
  expect(await step.done({ ...context, ...world })).toBe(isDone)
  const run = step.run({ ...context, ...world })
  if (isDone) await run
  else await expect(run).rejects.toThrow(`The pool ${pool} could not be removed: it is not empty.`)
  expect(isLeaseOver).toBe(true)
})
