import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { aContext, aDesired, withCluster } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import type { DesiredRoll } from '../desired/desired.js'
import type { World } from '../world.js'
import { stepOf } from './index.js'

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
  await stepOf('check-roll', { machine: 'dev-wk-1' }).run(world, context)
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

test('a command does not get our credentials', async () => {
  process.env.PROXMOX_VE_API_TOKEN = 'secret'
  try {
    await check({ check: node('process.exit(process.env.PROXMOX_VE_API_TOKEN === undefined ? 0 : 1)') })
  } finally {
    delete process.env.PROXMOX_VE_API_TOKEN
  }
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
