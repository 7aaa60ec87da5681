import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { watchView } from './watch-view.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-watch-view-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const now = Date.parse('2026-11-19T12:00:00Z')
const since = Date.parse('2026-11-19T03:10:00Z')

async function viewOf(memory: object | undefined, watch: object) {
  const { settings } = await anInventory({ with: { watch } })
  if (memory !== undefined) {
    mkdirSync(join(folder, '.ichor'))
    const whole = { version: 1, cluster: 'dev', machines: [], findings: [], queues: {}, ...memory }
    writeFileSync(join(folder, '.ichor', 'watch.json'), JSON.stringify(whole))
  }
  return watchView({ folder, settings }, { isLab: false, env: { HOME: folder } }, now)
}

test('without a watch there is nothing to show', async () => {
  expect(await viewOf(undefined, {})).toBeNull()
})

test('a plan is pending since then, and the next window is named', async () => {
  const steps = [{ id: 'a', title: 'a', digest: null }]
  const window = [{ cron: '0 2 * * 0', for: '2h' }]
  const view = await viewOf({ seenAt: now, plan: { digest: 'abc', since, steps } }, { apply: true, window })
  expect(view).toEqual({
    seen_at: '2026-11-19T12:00:00.000Z',
    pending: { since: '2026-11-19T03:10:00.000Z', steps: 1, digest: 'abc' },
    applies: true,
    open_until: null,
    opens: '2026-11-22T02:00:00.000Z',
    problem: null,
  })
})

test('an open window has its end, and what stopped an approved plan is shown', async () => {
  const memory = { seenAt: now, acting: { isOpen: true, problem: 'It is not applied: the cluster is suspended.' } }
  const view = await viewOf(memory, { apply: true, window: [{ cron: '0 11 * * *', for: '2h' }] })
  expect(view).toMatchObject({
    pending: null,
    open_until: '2026-11-19T13:00:00.000Z',
    problem: 'It is not applied: the cluster is suspended.',
  })
})
