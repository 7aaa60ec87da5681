import { expect, test } from 'vitest'
import { aContext, aDesired } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import type { StepContext } from '../steps/step.js'
import type { World } from '../world.js'
import { followMove, followReadiness } from './ha-move.js'

const desired = await aDesired({ controlPlanes: 1, workers: 1 })

interface Followed {
  readonly minutes: number
  readonly requests: number
  readonly waiting: readonly string[]
}

/** Follows a move with these HA states, one after another; the last one repeats. */
async function follow(...reports: string[]): Promise<Followed> {
  return followed(reports, async (look, request, context) =>
    followMove({ machine: 'dev-wk-1', to: 'pve2' }, look, request, context),
  )
}

type Look = Parameters<typeof followMove>[1]

async function followed(
  reports: readonly string[],
  run: (look: Look, request: () => Promise<void>, context: StepContext) => Promise<void>,
): Promise<Followed> {
  let now = 0
  let requests = 0
  const waiting: string[] = []
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
  const request = async () => {
    requests++
  }
  const context = aContext({ desired, world, waiting: (what) => void waiting.push(what) })
  await run(look, request, context).catch((thrown: unknown) => {
    throw Object.assign(thrown as Error, { minutes: now / 60_000, requests })
  })
  return { minutes: now / 60_000, requests, waiting }
}

test('a request that the manager drops is made again, and said', async () => {
  const reports = [...Array<string>(20).fill('pve1 started'), 'pve1 migrate', 'pve2 started']
  expect(await follow(...reports)).toMatchObject({
    requests: 1,
    waiting: [
      'Proxmox HA to move dev-wk-1 to pve2',
      'Proxmox HA to move dev-wk-1 to pve2: requested again, since it is still started',
    ],
  })
})

test('a request is made once the manager does not drop it', async () => {
  const wait = (...reports: string[]) =>
    followed(reports, (look, _, context) => followReadiness('dev-wk-1', look, context))
  expect(await wait('pve1 started')).toMatchObject({ minutes: 0, waiting: [] })
  expect(await wait('pve1 queued', 'pve1 request_start', 'pve1 migrate', 'pve1 started')).toMatchObject({
    minutes: 0.1,
    waiting: ['Proxmox HA to finish with dev-wk-1, which is queued'],
  })
})

test('a move that failed is noticed after a few looks', async () => {
  await expect(follow('pve1 migrate', 'pve1 started')).rejects.toSatisfy(
    ({ minutes, requests }) => minutes < 1 && requests === 0,
  )
})

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
  ['drops the request without a word', ['pve1 started'], 'has not started the move; its state is started.'],
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
