import { expect, test } from 'vitest'
import { aMark, hardwareOf } from '../../tests/support/marks.js'
import { createClock } from '../clock.js'
import { writeMark } from '../ownership/mark.js'
import type { World } from '../world.js'
import type { StepContext } from './step.js'
import { switchPower } from './switch-power.js'

const mark = aMark('dev-wk-1', 3000)
const options = { description: writeMark('', mark), ...hardwareOf('dev-wk-1') }
const config = { options, digest: 'd' }
const context = {
  desired: { machines: [], templates: [], cluster: { id: 'c1' } },
  observed: { machines: [{ name: 'dev-wk-1', host: 'pve1', vmid: 3000 }], templates: [] },
  signal: AbortSignal.timeout(10_000),
  note: () => undefined,
} as unknown as StepContext

test.each([
  { type: 'qmstop', questions: 0, because: 'the worker has stopped it' },
  { type: 'hastop', questions: 3, because: 'HA was only asked, and acts in its next round' },
])('after $type the VM is asked about $questions times: $because', async ({ type, questions }) => {
  const states = ['running', 'running', 'stopped', 'stopped']
  let asked = 0
  const machines = {
    stop: async () => ({ host: 'pve1', upid: `UPID:pve1:0000000A:0000000B:0000000C:${type}:3000:root@pam!lab:` }),
    findConfig: async () => config,
    findStatus: async () => ({ status: states[asked++] }),
  }
  const world = { proxmox: { machines, tasks: { wait: async () => undefined } }, clock: createClock(1000) }
  await switchPower({ host: 'pve1', vmid: 3000, config, mark }, 'stopped', world as unknown as World, context)
  expect(asked).toBe(questions)
})
