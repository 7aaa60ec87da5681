import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { aContext, aDesired, withCluster } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { stepOf } from '../capabilities/steps.js'
import type { DesiredRoll, RollCheck } from '../desired/desired.js'
import type { KubernetesApi } from '../kubernetes/port.js'
import type { Observed } from '../observe/observed.js'
import { plainDigest } from '../plan/digest.js'
import type { World } from '../world.js'

const desired = await aDesired({ workers: 1 })

const aRoll: DesiredRoll = {
  drainTimeoutMs: 0,
  ignoresBudgets: false,
  checkTimeoutMs: 10_000,
  checks: [],
  hooks: { before: [], after: [] },
}

interface Asked {
  readonly forMs: number
  readonly others: readonly RollCheck[]
  readonly api: Partial<Pick<KubernetesApi, 'find' | 'list'>>
}

/** Runs the check on a clock that every pause advances. */
async function check(asked: RollCheck, more: Partial<Asked> = {}): Promise<number> {
  let now = 0
  let pauses = 0
  const world = aStub<World>({
    clock: {
      speed: 1,
      monotonic: () => now,
      sleep: async (ms) => {
        now += ms
        pauses++
      },
    },
  })
  const roll = { ...aRoll, checkTimeoutMs: more.forMs ?? 10_000, checks: [asked, ...(more.others ?? [])] }
  const kubernetes = { at: () => aStub<KubernetesApi>({ ...more.api }) }
  const context = aContext({ desired: withCluster(desired, { roll }) })
  await stepOf('check-roll', { machine: 'dev-wk-1' }).run({
    ...context,
    ...world,
    kubernetes: aStub<World['kubernetes']>(kubernetes),
  })
  return pauses
}

const node = (script: string) => ({ command: [process.execPath, '-e', script] })

test('a command passes with exit 0, and knows which machine it is about', async () => {
  const script = "process.exit(process.env.ICHOR_MACHINE === 'dev-wk-1' && process.env.ICHOR_CLUSTER === 'dev' ? 0 : 1)"
  await check(node(script))
})

test('a command that goes on failing stops the roll with its own words', async () => {
  const failing = check(node("console.error('shop is closed'); process.exit(3)"), { forMs: 3000 })
  await expect(failing).rejects.toThrow(/roll\.checks .* to pass after dev-wk-1; .*shop is closed/)
})

test('a command gets what programs need, and no variable that nobody allowed', async () => {
  const secrets = ['PROXMOX_VE_API_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'VAULT_TOKEN', 'SOPS_AGE_KEY', 'GITHUB_TOKEN', 'X']
  for (const name of secrets) process.env[name] = 'secret'
  process.env.LC_TIME = 'C'
  try {
    const script = `const { env } = process
      const given = ${JSON.stringify(secrets)}.filter((name) => name in env)
      const lacks = ['PATH', 'LC_TIME'].filter((name) => !(name in env))
      console.error(given.join() + '-' + lacks.join())
      process.exit(given.length + lacks.length)`
    await check(node(script), { forMs: 1 })
  } finally {
    for (const name of secrets) delete process.env[name]
    delete process.env.LC_TIME
  }
})

test.each([
  [{ command: ['curl', '-f', 'https://shop'] }, 'run roll.checks after dev-wk-1: curl -f https://shop'],
  [{ command: ['sh', '-c', 'true; false'] }, 'run roll.checks after dev-wk-1: sh -c "true; false"'],
  [{ url: 'https://shop/' }, 'run roll.checks after dev-wk-1: https://shop/'],
  [
    {
      object: { apiVersion: 'ceph.rook.io/v1', kind: 'CephCluster', namespace: 'rook-ceph', name: 'main' },
      path: 'status.ceph.health',
      equals: ['HEALTH_OK', 'HEALTH WARN'],
    },
    'run roll.checks after dev-wk-1: status.ceph.health of CephCluster.ceph.rook.io/v1 rook-ceph/main is HEALTH_OK or "HEALTH WARN"',
  ],
] satisfies [RollCheck, string][])('the plan shows what %j runs, and its digest covers it', (asked, title) => {
  const withRoll = (more: Partial<DesiredRoll>) =>
    withCluster(desired, { roll: { ...aRoll, checks: [asked], ...more } })
  const step = stepOf('check-roll', { machine: 'dev-wk-1' })
  const digestOf = (more: Partial<DesiredRoll>) => {
    const inputs = step.inputs(withRoll(more), aStub<Observed>({}))
    return inputs === undefined ? null : plainDigest(inputs.known())
  }
  expect(step.title(withRoll({}))).toBe(title)
  const others = [
    { checks: [{ command: ['true'] }] },
    { checks: [{ url: 'https://other/' }] },
    { checks: [{ object: { apiVersion: 'v1', kind: 'Node' }, path: 'a', equals: ['b'] }] },
    { checks: [asked, asked] },
    { checkTimeoutMs: 2 },
  ]
  expect(new Set([{}, ...others].map(digestOf)).size).toBe(6)
})

const volumes = {
  object: { apiVersion: 'longhorn.io/v1beta2', kind: 'Volume' },
  path: 'status.robustness',
  equals: ['healthy'],
}
const aVolume = (name: string, robustness: string) => ({
  ...volumes.object,
  metadata: { name },
  status: { robustness },
})

test('objects are asked until the field of every one of them has a value that passes', async () => {
  const answers = [
    [],
    [aVolume('a', 'healthy'), aVolume('b', 'degraded')],
    [aVolume('a', 'healthy'), { ...volumes.object, metadata: { name: 'b' } }],
  ]
  const list = async () => answers.shift() ?? [aVolume('a', 'healthy'), aVolume('b', 'healthy')]
  expect(await check(volumes, { api: { list } })).toBe(3)
})

test.each([
  [[aVolume('a', 'healthy'), aVolume('b', 'degraded')], /status\.robustness of Volume b is "degraded"/],
  [[], /there is no Volume\.longhorn\.io\/v1beta2 \*/],
])('what goes on failing is named: %#', async (found, message) => {
  await expect(check(volumes, { forMs: 1, api: { list: async () => found } })).rejects.toThrow(message)
})

test('one object is found by its name, and a place in a list by its number', async () => {
  const one = {
    object: { apiVersion: 'v1', kind: 'Node', name: 'a' },
    path: 'status.conditions.1.status',
    equals: ['True'],
  }
  const find = async (_kind: unknown, _namespace: unknown, name: string) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { conditions: [{ status: 'False' }, { status: 'True' }] },
  })
  await check(one, { api: { find } })
})

test('every check of the list must pass', async () => {
  const failing = check(node(''), { forMs: 1, others: [node("console.error('not this one'); process.exit(1)")] })
  await expect(failing).rejects.toThrow(/not this one/)
})

test('an address is asked until it answers with a 2xx status', async () => {
  const answers = [503, 500, 204]
  const server = createServer((_, response) => response.writeHead(answers.shift() ?? 204).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    expect(await check({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })).toBe(2)
  } finally {
    server.close()
  }
})
