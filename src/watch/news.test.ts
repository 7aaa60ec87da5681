import { expect, test } from 'vitest'
import type { Finding } from '../findings/finding.js'
import { emptyMemory, type Memory, parseMemory } from './memory.js'
import { type Look, newsOf, newsOfFailure, newsOfInventory } from './news.js'
import { lineOf } from './watch-event.js'

const now = Date.parse('2026-11-19T12:00:00Z')
const finding = (code: `ICH${string}`, name: string, more: Partial<Finding> = {}): Finding => ({
  code,
  severity: 'blocks',
  certainty: 'certain',
  subject: { kind: 'machine', name },
  title: `${name} is not well.`,
  detail: '',
  ...more,
})
const step = (title: string, more: object = {}) => ({
  id: title,
  title,
  digest: null,
  changes: true,
  disruptive: false,
  loses: [],
  ...more,
})
const look = (more: Partial<Look> = {}): Look => ({
  cluster: 'dev',
  now,
  machines: ['dev-cp-1', 'dev-wk-1'],
  isOld: false,
  findings: [],
  isSeen: () => true,
  plan: { digest: 'none', steps: [] },
  ...more,
})
/** The types and lines of each pass, one after another. */
const passes = (...looks: readonly Partial<Look>[]) => {
  let memory: Memory = emptyMemory('dev')
  return looks.map((one) => {
    const news = newsOf(memory, look(one))
    memory = parseMemory(JSON.stringify(news.memory)) ?? emptyMemory('lost')
    return news.events.map((event) => `${event.type} ${lineOf(event)}`)
  })
}

test('a finding is reported when it begins and when it is over, and not in between', () => {
  const sick = { findings: [finding('ICH0303', 'dev-wk-1')] }
  expect(passes(sick, sick, {}, {})).toEqual([
    ['finding.opened ICH0303  dev-wk-1 is not well.'],
    [],
    ['finding.closed ICH0303 is over: dev-wk-1 is not well.'],
    [],
  ])
})

test('a finding that can only not be seen is not over', () => {
  const sick = { findings: [finding('ICH0501', 'etcd')] }
  expect(passes(sick, { isSeen: () => false }, {})).toEqual([
    [expect.stringContaining('ICH0501')],
    [],
    [expect.stringContaining('finding.closed')],
  ])
})

test('what a dead host explains is one finding; what stays when it is back is reported then', () => {
  const host = finding('ICH0203', 'pve1', { subject: { kind: 'host', name: 'pve1' } })
  const node = finding('ICH0604', 'dev-wk-1', { because: { code: 'ICH0203', subject: 'pve1' } })
  expect(passes({ findings: [host, node] }, { findings: [node] })).toEqual([
    ['finding.opened ICH0203  pve1 is not well.'],
    ['finding.opened ICH0604  dev-wk-1 is not well.', 'finding.closed ICH0203 is over: pve1 is not well.'],
  ])
})

test('a finding that gets worse is reported again, one that gets better is not', () => {
  const as = (severity: Finding['severity']) => ({ findings: [finding('ICH0801', 'Talos CA', { severity })] })
  expect(passes(as('warns'), as('blocks'), as('warns')).map(({ length }) => length)).toEqual([1, 1, 0])
})

test('a plan is reported once for each content, with what it would lose, and when it is no longer needed', () => {
  const plan = { digest: 'a', steps: [step('delete dev-wk-2', { disruptive: true, loses: ['the disks of dev-wk-2'] })] }
  expect(passes({ plan }, { plan }, { plan: { ...plan, digest: 'b' } }, {}, {})).toEqual([
    [
      'plan.pending A plan is pending (1 step, 1 of them disruptive): delete dev-wk-2. It would lose: the disks of dev-wk-2.  Fix: ichor plan shows it, ichor up applies it',
    ],
    [],
    [expect.stringContaining('plan.pending')],
    ['plan.closed Nothing differs from the inventory any more.'],
    [],
  ])
})

test('a plan that has changed names what differs from the one before', () => {
  const plan = (digest: string, ...steps: ReturnType<typeof step>[]) => ({ plan: { digest, steps } })
  const [, changed] = passes(
    plan('a', step('set memory of dev-wk-1', { digest: '1' }), step('delete dev-wk-2')),
    plan('b', step('set memory of dev-wk-1', { digest: '2' }), step('create dev-wk-3')),
  )
  expect(changed?.join()).toContain(
    'It differs from the plan before: also create dev-wk-3; no longer delete dev-wk-2; with other content set memory of dev-wk-1.',
  )
})

test('a plan keeps the time since when something is pending', () => {
  const plan = (digest: string) => ({ plan: { digest, steps: [step('set memory')] } })
  const first = newsOf(emptyMemory('dev'), look(plan('a')))
  expect(newsOf(first.memory, look({ ...plan('b'), now: now + 60_000 })).memory.plan).toEqual({
    digest: 'b',
    since: now,
    steps: [{ id: 'set memory', title: 'set memory', digest: null }],
  })
})

test('a cluster that cannot be looked at is reported once, and its findings are not over', () => {
  const { memory } = newsOf(emptyMemory('dev'), look({ findings: [finding('ICH0303', 'dev-wk-1')] }))
  const failed = newsOfFailure(memory, { problem: 'pve1 does not answer.', fix: 'Start it.', now })
  expect(failed.events.map(lineOf)).toEqual(['It cannot be looked at: pve1 does not answer.  Fix: Start it.'])
  expect(newsOfFailure(failed.memory, { problem: 'pve2 does not answer.', fix: '', now }).events).toEqual([])
  const back = newsOf(failed.memory, look({ findings: [finding('ICH0303', 'dev-wk-1')] }))
  expect(back.events.map(({ type }) => type)).toEqual(['cluster.seen'])
})

test('an inventory that cannot be used is reported once; what is seen with the last one does not make it well', () => {
  const problem = { problem: 'It is no YAML.', where: 'cluster.yaml:1', fix: 'Mend it.' }
  const refused = newsOfInventory(newsOf(emptyMemory('dev'), look()).memory, problem, now)
  expect(refused.events.map(({ type }) => type)).toEqual(['inventory.refused'])
  expect(newsOfInventory(refused.memory, problem, now).events).toEqual([])
  const old = newsOf(refused.memory, look({ isOld: true }))
  expect(old.events).toEqual([])
  expect(newsOf(old.memory, look()).events.map(({ type }) => type)).toEqual(['inventory.accepted'])
})

test('machines that are missing from the inventory are named once', () => {
  expect(passes({}, { machines: ['dev-cp-1'] }, { machines: ['dev-cp-1'] })).toEqual([
    [],
    ['inventory.shrank 1 of 2 machines are no longer in the inventory: dev-wk-1.'],
    [],
  ])
})

test('control characters of others do not reach a terminal', () => {
  const [line = ''] = passes({ findings: [finding('ICH0303', 'x', { title: 'a\u001b]52;c;x\u0007b' })] })[0] ?? []
  expect(line).not.toMatch(/\p{Cc}/u)
})

test('a damaged memory counts as missing', () => {
  expect(parseMemory('{"version":1,')).toBeUndefined()
  expect(parseMemory('{"version":2}')).toBeUndefined()
})
