import { expect, test } from 'vitest'
import { aContext, aDesired } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import type { World } from '../world.js'
import { followMove } from './ha-move.js'

const desired = await aDesired({ controlPlanes: 1, workers: 1 })

/** Follows a move with these HA states, one after another; the last one repeats. */
async function follow(...reports: string[]): Promise<{ minutes: number }> {
  let now = 0
  let asked = 0
  const world = aStub<World>({
    clock: {
      speed: 1,
      now: () => now,
      monotonic: () => now,
      sleep: async (ms: number) => {
        now += ms
      },
    },
  })
  const look = async () => {
    const [host = '', state = ''] = (reports[Math.min(asked++, reports.length - 1)] ?? '').split(' ')
    return { host, state }
  }
  await followMove({ machine: 'dev-wk-1', to: 'pve2' }, look, world, aContext({ desired }))
  return { minutes: now / 60_000 }
}

test('a machine that HA moves is waited for, however long that takes', async () => {
  const reports = ['pve1 started', ...Array<string>(500).fill('pve1 migrate'), 'pve2 started']
  expect((await follow(...reports)).minutes).toBeGreaterThan(10)
})

test.each([
  [
    'arrives between the questions after its host and after its state',
    ['pve1 migrate', 'pve1 started', 'pve2 started'],
  ],
  [
    'is still reported as moving from its last move',
    ['pve1 migrate', ...Array<string>(10).fill('pve1 started'), 'pve1 migrate', 'pve2 started'],
  ],
])('HA has not given up a machine that %s', async (_what, reports) => {
  expect((await follow(...reports)).minutes).toBeLessThan(3)
})

test.each([
  ['drops the request without a word', ['pve1 started'], 'has not begun to: it reports it as started.'],
  ['puts it into an error', ['pve1 started', 'pve1 error'], 'reports it in state error.'],
  ['tries and gives up', ['pve1 migrate', 'pve1 started'], 'began to move it and gave up: it is started again.'],
  [
    'tries for ever',
    Array.from({ length: 100 }, (_, index) => `pve1 ${index % 2 === 0 ? 'migrate' : 'started'}`),
    'began to move it and gave up: it is started again.',
  ],
])('where HA %s, the wait ends with what HA reports', async (_what, reports, message) => {
  await expect(follow(...reports)).rejects.toMatchObject({
    code: 'ha-refused',
    message: `Proxmox HA was asked to move dev-wk-1 to pve2, and ${message}`,
    fix: expect.stringContaining('Datacenter > HA'),
  })
})
