import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { aContext, aDesired, withCluster } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { stepOf } from '../capabilities/steps.js'
import type { DesiredRoll } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import { plainDigest } from '../plan/digest.js'
import type { World } from '../world.js'

const desired = await aDesired({ workers: 1 })

/** Runs the check on a clock that every pause advances. */
async function check(roll: Partial<DesiredRoll>, pauses: { count: number } = { count: 0 }): Promise<void> {
  let now = 0
  const world = aStub<World>({
    clock: {
      speed: 1,
      monotonic: () => now,
      sleep: async (ms) => {
        now += ms
        pauses.count++
      },
    },
  })
  const whole = { drainTimeoutMs: 0, ignoresBudgets: false, checkTimeoutMs: 10_000, ...roll }
  const context = aContext({ desired: withCluster(desired, { roll: whole }) })
  await stepOf('check-roll', { machine: 'dev-wk-1' }).run({ ...context, ...world })
}

const node = (script: string) => ({ command: [process.execPath, '-e', script] })

test('a command passes with exit 0, and knows which machine it is about', async () => {
  const script = "process.exit(process.env.ICHOR_MACHINE === 'dev-wk-1' && process.env.ICHOR_CLUSTER === 'dev' ? 0 : 1)"
  await check({ check: node(script) })
})

test('a command that goes on failing stops the roll with its own words', async () => {
  const failing = check({ check: node("console.error('shop is closed'); process.exit(3)"), checkTimeoutMs: 3000 })
  await expect(failing).rejects.toThrow(/roll\.check .* to pass after dev-wk-1; .*shop is closed/)
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
    await check({ check: node(script), checkTimeoutMs: 1 })
  } finally {
    for (const name of secrets) delete process.env[name]
    delete process.env.LC_TIME
  }
})

test.each([
  [{ command: ['curl', '-f', 'https://shop'] }, 'run roll.check after dev-wk-1: curl -f https://shop'],
  [{ command: ['sh', '-c', 'true; false'] }, 'run roll.check after dev-wk-1: sh -c "true; false"'],
  [{ url: 'https://shop/' }, 'run roll.check after dev-wk-1: https://shop/'],
])('the plan shows what %j runs, and its digest covers it', (asked, title) => {
  const withRoll = (more: Partial<DesiredRoll>) =>
    withCluster(desired, {
      roll: { drainTimeoutMs: 0, ignoresBudgets: false, checkTimeoutMs: 1, check: asked, ...more },
    })
  const step = stepOf('check-roll', { machine: 'dev-wk-1' })
  const digestOf = (more: Partial<DesiredRoll>) => {
    const inputs = step.inputs(withRoll(more), aStub<Observed>({}))
    return inputs === undefined ? null : plainDigest(inputs.known())
  }
  expect(step.title(withRoll({}))).toBe(title)
  const others = [{ check: { command: ['true'] } }, { check: { url: 'https://other/' } }, { checkTimeoutMs: 2 }]
  expect(new Set([{}, ...others].map(digestOf)).size).toBe(4)
})

test('an address is asked until it answers with a 2xx status', async () => {
  const answers = [503, 500, 204]
  const server = createServer((_, response) => response.writeHead(answers.shift() ?? 204).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const pauses = { count: 0 }
  try {
    await check({ check: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` } }, pauses)
    expect(pauses.count).toBe(2)
  } finally {
    server.close()
  }
})
