import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { aContext, aDesired, withCluster } from '../../tests/support/contexts.js'
import { stepOf } from '../capabilities/steps.js'
import type { RollCommand } from '../desired/desired.js'

const desired = await aDesired({ workers: 1 })
const folder = mkdtempSync(join(tmpdir(), 'hooks-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const node = (script: string) => ({ command: [process.execPath, '-e', script] })
const noting = (word: string) =>
  node(
    `require('fs').appendFileSync(${JSON.stringify(join(folder, 'ran'))}, '${word}:' + process.env.ICHOR_MACHINE + ' ')`,
  )

function aHook(before: readonly RollCommand[], forMs = 60_000) {
  const roll = {
    drainTimeoutMs: 0,
    ignoresBudgets: false,
    checkTimeoutMs: forMs,
    checks: [],
    hooks: { before, after: [] },
  }
  const step = stepOf('run-hook', { machine: 'dev-wk-1', when: 'before' })
  const wanted = withCluster(desired, { roll })
  return { title: step.title(wanted), run: () => step.run(aContext({ desired: wanted })) }
}

test('commands run in their order, know their machine, and the first that fails ends it', async () => {
  const failing = node("console.error('the pager is off'); process.exit(2)")
  const { run } = aHook([noting('one'), noting('two'), failing, noting('three')])
  await expect(run()).rejects.toThrow(/roll\.before failed for dev-wk-1: .*the pager is off/)
  expect(readFileSync(join(folder, 'ran'), 'utf8')).toBe('one:dev-wk-1 two:dev-wk-1 ')
})

test('a command that never ends is stopped', async () => {
  await expect(aHook([node('setInterval(() => 0, 1000)')], 300).run()).rejects.toThrow(/roll\.before failed/)
})

test('the plan shows every command', () => {
  const { title } = aHook([{ command: ['./silence', '10 m'] }, { command: ['ceph', 'osd', 'set', 'noout'] }])
  expect(title).toBe('run roll.before for dev-wk-1: ./silence "10 m"; ceph osd set noout')
})
