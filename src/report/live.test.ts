import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NewEvent } from '../events/event.js'
import { createLive } from './live.js'
import { type Moment, picture } from './live-picture.js'
import type { StepProgress } from './progress.js'
import { remainingTime } from './remaining.js'
import { textStyle } from './text-style.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const rich = textStyle({ isTTY: true }, { NO_COLOR: '1' })
const step = (id: string, more: Partial<StepProgress>): StepProgress => ({
  id,
  kind: id,
  title: id,
  after: [],
  status: 'waiting',
  ...more,
})
const moment: Moment = {
  cluster: 'dev',
  tick: 0,
  elapsed: 12_000,
  now: 20_000,
  width: 80,
  height: 24,
  expected: new Map([['start', 5000]]),
}

test('only what failed or runs has a line; what is ready or waits is a count', () => {
  const steps = [
    step('start', { machine: 'cp-2', status: 'running', since: 17_000, title: 'start cp-2' }),
    step('claim', { machine: 'cp-10', status: 'failed', note: 'no room', title: 'create VM 110' }),
    step('ready', { machine: 'cp-1', status: 'done' }),
    step('later', { kind: 'start', machine: 'cp-3', after: ['start'] }),
  ]
  expect(picture(steps, rich, moment)).toEqual([
    'dev  █████░░░░░░░░░░░░░░░  1 of 4   0:12   about 7.0 s left',
    '✗ cp-10    create VM 110: no room',
    `⠋ cp-2     ${'start cp-2'.padEnd(60)}  3.0 s`,
    '✓ 1 machine ready',
    '· 1 waiting',
  ])
})

test('an estimate that was overrun is not shown any more', () => {
  const steps = [step('start', { machine: 'cp-2', status: 'running', since: 10_000 }), step('start', { id: 'b' })]
  expect(picture(steps, rich, moment)[0]).toBe(`dev  ${'░'.repeat(20)}  0 of 2   0:12`)
})

test.each([40, 80, 200])('no line is wider than a terminal of %i columns', (width) => {
  const steps = Array.from({ length: 5 }, (_, index) =>
    step(`s${index}`, {
      machine: `a-rather-long-machine-name-${index}`,
      status: index % 2 === 0 ? 'running' : 'failed',
      since: 0,
      title: 'a step with a title of many words '.repeat(8),
      note: 'and\n a note',
    }),
  )
  for (const line of picture(steps, rich, { ...moment, width })) expect(line.length).toBeLessThan(width)
})

test('two hundred machines fit the screen: what failed comes first, and the rest is counted', () => {
  const steps = [
    ...Array.from({ length: 199 }, (_, i) => step(`start-${i}`, { machine: `wk-${i}`, status: 'running', since: 0 })),
    step('claim', { machine: 'zz', status: 'failed', note: 'no room' }),
  ]
  const lines = picture(steps, rich, { ...moment, height: 10 })
  expect(lines.length).toBeLessThanOrEqual(10)
  expect(lines[1]).toContain('zz')
  expect(lines.join('\n')).toMatch(/and 19\d more at work/)
})

const usual = new Map([
  ['a', 4000],
  ['b', 3000],
  ['c', 1000],
])

test('what is left is the longest chain that is still open', () => {
  const steps = [step('a', { status: 'running', since: 19_000 }), step('b', { after: ['a'] }), step('c', {})]
  expect(remainingTime(steps, usual, 20_000)).toBe(6000)
})

test('rounds follow one another, and steps that share a lane or a turn wait for each other', () => {
  const turn = [{ name: 'turn workers', limit: 2 }]
  const four = [1, 2, 3, 4].map((index) => step(`b-${index}`, { kind: 'b', round: 2, limits: turn }))
  expect(remainingTime([step('a', { round: 1 }), ...four], usual, 0)).toBe(4000 + (4 * 3000) / 2)
})

test('there is no estimate while one open step has never run here', () => {
  expect(remainingTime([step('a', {}), step('new', {})], usual, 0)).toBeUndefined()
  expect(remainingTime([step('a', {}), step('new', { status: 'done' })], usual, 0)).toBe(4000)
})

const at = new Date(0).toISOString()
const started: NewEvent = {
  type: 'run.started',
  at,
  version: 1,
  cluster: 'dev',
  goal: 'up',
  changes: 1,
  steps: [step('start', {})],
}

// Never from the first cell: tmux would keep every frame in its history.
const cleared = '\r\u001b[K\u001b[C\u001b[0J\r'

test('a note is written above the picture, from the first column, where the terminal may have echoed ^C', () => {
  const written: string[] = []
  const screen = createLive({ write: (text) => written.push(text) }, rich, () => 0, new Map())
  screen.show(started)
  vi.advanceTimersByTime(100)
  screen.show({ type: 'run.noted', at, severity: 'info', text: 'stopping' })
  screen.end()
  expect(written.slice(1)).toEqual([cleared, 'note  stopping\n'])
})

/** What a terminal does with a frame: the row of each piece of text, and where the cursor is at the end. */
function rowsWritten(text: string): { readonly rows: number[]; readonly end: number } {
  const rows: number[] = []
  let row = 0
  const pieces = /(ESC\[\??(\d*)([A-Za-z]))|(\n)|([^\n\r]+?(?=ESC|[\n\r]|$))/g
  for (const [, move, count, letter, newline, words] of text.replaceAll('\u001b', 'ESC').matchAll(pieces)) {
    if (move !== undefined && letter === 'A') row -= Number(count)
    if (newline !== undefined) row++
    if (words !== undefined) rows.push(row)
  }
  return { rows, end: row }
}

test('a terminal that wraps its lines again in the midst of a frame leaves nothing: no line is written below another one', () => {
  const written: string[] = []
  const output = { write: (text: string) => written.push(text), columns: 80, rows: 24 }
  const screen = createLive(output, rich, () => 0, new Map())
  screen.show({ ...started, steps: [step('start', {}), step('wait', { machine: 'cp-1' })] })
  screen.show({ type: 'step.started', at, step: 'start', attempt: 1 })
  vi.advanceTimersByTime(100)
  output.columns = 20
  vi.advanceTimersByTime(100)
  expect(written).toHaveLength(2)
  for (const text of written) {
    const { rows, end } = rowsWritten(text)
    expect(rows).toEqual([2, 1, 0])
    expect(end).toBe(0)
    expect(text.startsWith(`\u001b[?2026h${cleared}`)).toBe(true)
    expect(text.endsWith('\r\u001b[?7h\u001b[?2026l')).toBe(true)
  }
  screen.end()
  expect(written.at(-1)).toBe(cleared)
})

test('of a run that failed only the failures stay, and nothing that moves', () => {
  const written: string[] = []
  const screen = createLive({ write: (text) => written.push(text) }, rich, () => 0, new Map())
  screen.show(started)
  vi.advanceTimersByTime(100)
  screen.show({ type: 'step.failed', at, step: 'start', problem: 'no room', where: 'pve1', fix: 'add a host' })
  screen.end()
  expect(written.at(-2)).toBe(cleared)
  expect(written.at(-1)).toMatch(/^.*✗.* no room\n$/)
})

test('of a run that went well nothing stays on the screen', () => {
  const written: string[] = []
  const screen = createLive({ write: (text) => written.push(text) }, rich, () => 0, new Map())
  screen.show(started)
  screen.show({ type: 'run.finished', at, outcome: 'done', changed: 1, ms: 1, failed: [], next: [] })
  screen.end()
  expect(written).toEqual([])
})
