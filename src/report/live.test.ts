import { expect, test } from 'vitest'
import { createLive, picture } from './live.js'
import type { StepProgress } from './progress.js'
import { remainingTime } from './remaining.js'
import { textStyle } from './text-style.js'

const plain = textStyle({}, {})
const step = (id: string, more: Partial<StepProgress>): StepProgress => ({
  id,
  kind: id,
  title: id,
  after: [],
  status: 'waiting',
  ...more,
})
const moment = { tick: 0, elapsed: 12_000, now: 20_000, width: 100, height: 24, expected: new Map([['start', 5000]]) }

test('each machine has a line with what it is doing, for how long, and how long that usually takes', () => {
  const steps = [
    step('secrets', { status: 'done' }),
    step('start', { machine: 'cp-2', status: 'running', since: 17_000, title: 'start cp-2' }),
    step('claim', { machine: 'cp-10', status: 'failed', note: 'no room', title: 'create VM 110' }),
  ]
  expect(picture(steps, plain, moment)).toEqual([
    '✓ cluster   1/1  done',
    '⠋ cp-2      0/1  start cp-2 (3.0 s of about 5.0 s)',
    '✗ cp-10     0/1  create VM 110: no room',
    '1 of 3 steps, 12 s, about 2.0 s left',
  ])
})

test('a line is never wider than the terminal', () => {
  const [line = ''] = picture([step('x', { status: 'running', title: 'a'.repeat(200) })], plain, {
    ...moment,
    width: 40,
  })
  expect(line.length).toBeLessThanOrEqual(40)
})

test('what is left is the longest chain that is still open', () => {
  const expected = new Map([
    ['a', 4000],
    ['b', 3000],
    ['c', 1000],
  ])
  const steps = [step('a', { status: 'running', since: 19_000 }), step('b', { after: ['a'] }), step('c', {})]
  expect(remainingTime(steps, expected, 20_000)).toBe(6000)
  expect(remainingTime(steps, new Map(), 20_000)).toBeUndefined()
})

test('a picture is drawn over the last one from the first column, where the terminal may have echoed ^C', () => {
  const written: string[] = []
  const screen = createLive({ write: (text) => written.push(text) }, plain, () => 0, new Map())
  const at = new Date(0).toISOString()
  screen.show({ type: 'run.started', at, run: 'r', cluster: 'dev', steps: [step('start', {})] })
  screen.end()
  screen.show({ type: 'run.noted', at, severity: 'info', text: 'stopping' })
  expect(written[1]).toBe('\r\u001b[2A\u001b[0Jnote stopping\n')
})

test('what a step says stays on its line', () => {
  const [line = ''] = picture([step('x', { status: 'failed', note: 'one\n  two' })], plain, moment)
  expect(line).toContain('x: one two')
})

test('where not all machines fit the screen, those that failed or are at work are shown', () => {
  const steps = [
    ...Array.from({ length: 30 }, (_, i) => step(`done-${i}`, { machine: `wk-${i}`, status: 'done' })),
    step('start', { machine: 'wk-30', status: 'running', title: 'start wk-30' }),
    step('claim', { machine: 'cp-1', status: 'failed', note: 'no room' }),
  ]
  const lines = picture(steps, plain, { ...moment, height: 5, expected: new Map() })
  expect(lines).toHaveLength(5)
  expect(lines[0]).toContain('cp-1')
  expect(lines[2]).toContain('start wk-30')
  expect(lines[3]).toBe('and 29 machines more')
})
