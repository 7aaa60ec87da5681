import { expect, test } from 'vitest'
import type { Status } from '../operations/status/status.js'
import { textStyle } from './text-style.js'
import { afterKey, firstView, shownMachines, type WatchModel, type WatchView, watchScreen } from './watch-screen.js'

const rich = textStyle({ isTTY: true }, { NO_COLOR: '1' })
const machine = (name: string, host: string, ready: boolean): Status['machines'][number] => ({
  name,
  role: 'worker',
  host,
  vmid: 3000,
  mac: '02:00:00:00:00:01',
  uuid: '',
  address: '10.0.10.20',
  ready,
  state: ready ? 'ready' : 'not ready',
  talos_version: 'v1.13.9',
  kubernetes_version: 'v1.36.3',
  problems: [],
})
const statusOf = (machines: Status['machines']): Status => ({
  version: 1,
  cluster: 'dev',
  healthy: true,
  shut_down: null,
  endpoint: 'https://10.0.10.5:6443',
  talos_version: 'v1.13.9',
  kubernetes_version: 'v1.36.3',
  hosts: [{ name: 'pve1', online: true, machines: [], load: { cpu_ratio: 0.04, memory_used: 17, memory_total: 100 } }],
  machines,
  guests: [],
  etcd: { members: 3, healthy_members: 3, leader: 'dev-cp-1', healthy: true } as Status['etcd'],
  unreadable_secrets: [],
  addons: [],
  certificates: [],
  roll: null,
  drift: [],
  refusal: null,
  notes: [],
  findings: [],
  unknown: [],
})
const many = statusOf(
  Array.from({ length: 200 }, (_, index) => machine(`dev-wk-${index + 1}`, `pve${index % 3}`, index !== 150)),
)
const modelOf = (status: Status | undefined, more: Partial<WatchModel> = {}): WatchModel => ({
  status,
  problem: undefined,
  run: undefined,
  logLines: [],
  ...more,
})
const at = (width: number, height = 24) => ({ width, height, now: 0 })

test.each([40, 80, 200])(
  'at %i columns two hundred machines fill the screen exactly, and no line is wider',
  (width) => {
    const run = { goal: 'up', startedAt: 0, steps: [] }
    for (const height of [8, 24, 60]) {
      const lines = watchScreen(
        modelOf(many, { run }),
        { ...firstView, selected: 'dev-wk-120' },
        rich,
        at(width, height),
      )
      expect(lines).toHaveLength(height)
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(width)
      expect(lines.join('\n')).toContain('> dev-wk-120')
    }
  },
)

test('machines, etcd, load and the run that is under way are on it', () => {
  const steps = [
    { id: 'a', kind: 'a', title: 'clone dev-wk-1', after: [], status: 'done' as const },
    { id: 'b', kind: 'b', title: 'start dev-wk-1', after: [], status: 'running' as const },
  ]
  const status = statusOf([machine('dev-wk-1', 'pve1', true)])
  const text = watchScreen(
    modelOf(status, { run: { goal: 'up', startedAt: -57_000, steps } }),
    firstView,
    rich,
    at(120),
  )
  expect(text.join('\n')).toMatch(/up {2}█+░+ {2}1 of 2 {2}0:57 {2}start dev-wk-1/)
  for (const what of [/etcd +3\/3, leader/, /load +pve1 4 % CPU/, /dev-wk-1 +pve1/, /q quit/])
    expect(text.join('\n')).toMatch(what)
})

test('a finding is wrapped, with its fix, and those that do not fit are counted', () => {
  const findings = ['pve1', 'pve2', 'pve3'].map((name) => ({
    code: 'ICH0101' as const,
    severity: 'blocks' as const,
    certainty: 'certain' as const,
    subject: { kind: 'host' as const, name },
    title: `Proxmox host ${name} is offline; it holds dev-wk-1.`,
    detail: '',
    cure: { text: `Bring ${name} back.`, command: 'ichor up' },
  }))
  const lines = watchScreen(modelOf({ ...many, healthy: false, findings }), firstView, rich, at(40))
  expect(lines.filter((line) => line.startsWith('✗')).length).toBeGreaterThan(0)
  expect(lines.join('\n')).toContain('Fix:')
  expect(lines.join('\n')).toMatch(/and \d+ more: ichor doctor/)
})

test('what could not be seen again is said beside what was seen last', () => {
  const text = watchScreen(modelOf(many, { problem: 'Proxmox does not answer.' }), firstView, rich, at(80)).join('\n')
  expect(text).toContain('could not look again: Proxmox does not answer.')
  expect(text).toContain('dev-wk-1')
})

test('s sorts by what is not ready, / filters, and both stay until they are changed', () => {
  const press = (view: WatchView, ...keys: string[]) =>
    keys.reduce((seen, key) => {
      const next = afterKey(
        seen,
        key,
        shownMachines(many, seen).map(({ name }) => name),
      )
      return next === 'quit' ? seen : next
    }, view)
  expect(shownMachines(many, press(firstView, 's'))[0]?.name).toBe('dev-wk-151')
  const filtered = press(firstView, '/', 'w', 'k', '-', '1', '9', 'q', 'backspace', 'enter')
  expect(shownMachines(many, filtered).map(({ name }) => name)).toEqual([
    'dev-wk-19',
    ...Array.from({ length: 10 }, (_, index) => `dev-wk-${190 + index}`),
  ])
  expect(press(filtered, 'down', 'down').selected).toBe('dev-wk-190')
  expect(press(filtered, 'down', 'd').log).toEqual({ machine: 'dev-wk-19', what: 'dmesg' })
  expect(press(filtered, 'down', 'd', 'q')).toMatchObject({ log: undefined, filter: 'wk-19' })
  expect(afterKey(firstView, 'q', [])).toBe('quit')
  expect(afterKey({ ...firstView, isTyping: true }, 'ctrl-c', [])).toBe('quit')
})

test('a log shows its newest lines, without control characters', () => {
  const logLines = Array.from({ length: 100 }, (_, index) => `line ${index}\u001b[2J`)
  const view = { ...firstView, log: { machine: 'dev-wk-1', what: 'kubelet' as const } }
  const lines = watchScreen(modelOf(many, { logLines }), view, rich, at(80, 10))
  expect(lines[0]).toBe('dev-wk-1  kubelet')
  expect(lines.at(-2)).toContain('line 99')
  expect(lines.join('')).not.toContain('\u001b')
})
