import { expect, test } from 'vitest'
import { aContext, aDesired, aSeenMachine } from '../../tests/support/contexts.js'
import { aStub } from '../../tests/support/stub.js'
import { aWorld } from '../../tests/support/worlds.js'
import { createClock } from '../clock.js'
import type { World } from '../world.js'
import { switchPower } from './switch-power.js'

const seen = aSeenMachine('dev-wk-1', 3000)
const config = { options: seen.options, digest: 'd' }
const context = aContext({
  desired: await aDesired({ workers: 1 }),
  observed: { ...aWorld(['pve1']), machines: [seen] },
})

test.each([
  { type: 'qmstop', questions: 0, because: 'the worker has stopped it' },
  { type: 'hastop', questions: 3, because: 'HA was only asked, and acts in its next round' },
])('after $type the VM is asked about $questions times: $because', async ({ type, questions }) => {
  const states = ['running', 'running', 'stopped', 'stopped'] as const
  let asked = 0
  const world = aStub<World>({
    clock: createClock(1000),
    proxmox: {
      machines: {
        stop: async () => ({ host: 'pve1', upid: `UPID:pve1:0000000A:0000000B:0000000C:${type}:3000:root@pam!lab:` }),
        findConfig: async () => config,
        findStatus: async () => ({ status: states[asked++] ?? 'stopped' }),
      },
      tasks: { wait: async () => ({ warnings: [] }) },
    },
  })
  await switchPower({ host: 'pve1', vmid: 3000, config, mark: seen.mark }, 'stopped', { ...context, ...world })
  expect(asked).toBe(questions)
})
