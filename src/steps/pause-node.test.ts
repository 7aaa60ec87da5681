import { expect, test } from 'vitest'
import { createClock } from '../clock.js'
import type { World } from '../world.js'
import { stepOf } from './index.js'
import type { StepContext } from './step.js'

const machine = 'cp-1'
const context = {
  desired: {
    machines: [
      {
        machine: { name: machine, role: 'controlplane', identity: { uuid: 'u-1' } },
        address: '10.0.0.1',
        talos: { config: 'wanted' },
      },
    ],
  },
  signal: AbortSignal.timeout(10_000),
  note: () => undefined,
  assertLease: () => undefined,
} as unknown as StepContext

const back = { config: 'wanted', leader: 'a1', isReady: true, isNodeReady: true }

/** A machine that comes back little by little: each question for its config is the next moment. */
function aWorld(moments: readonly Partial<typeof back>[]) {
  const calls: string[] = []
  let asked = 0
  const now = () => ({ ...back, ...moments[Math.min(asked, moments.length) - 1] })
  const node = () => ({
    etcd: { status: async () => ({ leader: now().leader }) },
    version: async () => ({ tag: 'v1.13.9' }),
    resources: {
      machineConfig: async () => {
        asked++
        return now().config
      },
      machineStatus: async () => ({ ready: now().isReady }),
    },
  })
  const api = {
    // Nodes are known by their UUID: names may be those of others.
    nodes: async () => [
      { name: machine, systemUuid: 'other', ready: true },
      { name: 'dhcp-17', systemUuid: 'U-1', ready: now().isNodeReady },
    ],
    cordon: async (name: string) => void calls.push(`cordon ${name}`),
    drain: async (name: string) => void calls.push(`drain ${name}`),
  }
  const world = { talos: { node }, kubernetes: { at: () => api }, clock: createClock(1000) } as unknown as World
  return { world, calls, asked: () => asked }
}

test.each([
  { what: 'its config', before: { config: 'old' } },
  { what: 'the leader of its etcd', before: { leader: '0000000000000000' } },
  { what: 'its services', before: { isReady: false } },
  { what: 'its node', before: { isNodeReady: false } },
])('a machine is not back before $what is, so the next one does not go', async ({ before }) => {
  const place = aWorld([before, before, back])
  const args = { machine, isControlPlane: true, isNode: true }
  expect(await stepOf('await-back').done(args, place.world, context)).toBe(false)
  await stepOf('await-back').run(args, place.world, context)
  expect(place.asked()).toBe(3)
})

test.each(['empty-node', 'drain-node'])('%s keeps new work away and moves the old', async (kind) => {
  const { world, calls } = aWorld([back])
  await stepOf(kind).run({ machine, node: machine, keys: [], forConfig: true }, world, context)
  expect(calls).toEqual([`cordon ${machine}`, `drain ${machine}`])
})

test.each([
  { code: 'Unavailable', isBorne: true },
  { code: 'PermissionDenied', isBorne: false },
])(
  'a reboot whose answer is $code may have happened and is not asked for twice: $isBorne',
  async ({ code, isBorne }) => {
    const modes: string[] = []
    const node = () => ({
      applyConfiguration: async (_config: string, { mode }: { mode: string }) => void modes.push(mode),
      reboot: () => Promise.reject(Object.assign(new Error(code), { grpcCode: code })),
    })
    const world = { talos: { node } } as unknown as World
    const run = stepOf('reboot-with-config').run({ machine }, world, context)
    if (isBorne) await run
    else await expect(run).rejects.toThrow(code)
    expect(modes).toEqual(['staged'])
  },
)
