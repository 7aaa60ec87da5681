import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { typicalDurations } from './history.js'
import { openJournal } from './journal.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ichor-journal-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = '2026-11-15T00:00:00.000Z'

test('what steps took in earlier runs reports what to expect of the next one', () => {
  for (const [run, ms] of [
    ['a', 1000],
    ['b', 3000],
    ['c', 2000],
  ] as const) {
    const journal = openJournal(folder, run)
    const steps = [{ id: 'start-machine:cp-1', kind: 'start-machine', title: 'start cp-1', after: [] }]
    journal.record({ type: 'run.started', run, seq: 1, at, version: 1, cluster: 'dev', goal: 'up', changes: 1, steps })
    journal.record({ type: 'step.finished', run, seq: 2, at, step: 'start-machine:cp-1', ms, outcome: 'done' })
  }
  expect(typicalDurations(folder)).toEqual(new Map([['start-machine', 2000]]))
})

test('only the newest runs count, whatever their random names', () => {
  for (let index = 0; index < 12; index++) {
    const run = String(99 - index)
    const journal = openJournal(folder, run)
    const steps = [{ id: 'start', kind: 'start', title: 'start', after: [] }]
    journal.record({ type: 'run.started', run, seq: 1, at, version: 1, cluster: 'dev', goal: 'up', changes: 1, steps })
    journal.record({
      type: 'step.finished',
      run,
      seq: 2,
      at,
      step: 'start',
      ms: index < 6 ? 9000 : 1000,
      outcome: 'done',
    })
    utimesSync(join(folder, '.ichor', 'journal', `${run}.jsonl`), 1000 + index, 1000 + index)
  }
  expect(typicalDurations(folder).get('start')).toBe(1000)
})

test('without earlier runs nothing is expected, and a journal that cannot be written stops nothing', () => {
  expect(typicalDurations(folder).size).toBe(0)
  const journal = openJournal('/dev/null', 'run')
  expect(() =>
    journal.record({
      type: 'run.finished',
      at,
      outcome: 'done',
      changed: 0,
      ms: 1,
      failed: [],
      next: [],
      run: 'r',
      seq: 1,
    }),
  ).not.toThrow()
})
