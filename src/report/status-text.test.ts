import { expect, test } from 'vitest'
import type { Finding } from '../findings/finding.js'
import type { MachineStatus, Status } from '../operations/status/status.js'
import { statusText } from './status-text.js'
import { textStyle } from './text-style.js'

const machine = (name: string, more: Partial<MachineStatus> = {}): MachineStatus => ({
  name,
  role: 'worker',
  host: 'pve1',
  vmid: 2000,
  mac: '',
  uuid: '',
  address: '10.20.1.10',
  ready: true,
  state: 'ready',
  talos_version: 'v1.13.9',
  kubernetes_version: 'v1.36.3',
  problems: [],
  ...more,
})
const finding = (code: Finding['code'], title: string, more: Partial<Finding> = {}): Finding => ({
  code,
  severity: 'blocks',
  certainty: 'certain',
  subject: { kind: 'machine', name: title },
  title,
  detail: '',
  ...more,
})
const up = (text: string) => ({ cure: { text, command: 'ichor up' } })
const missing = finding('ICH0301', 'The VM of prod-storage-2 does not exist.', up('Create it.'))
const absent = { host: null, vmid: null, address: null, ready: false, state: 'absent', talos_version: null }
const status = (more: Partial<Status> = {}): Status => ({
  version: 1,
  cluster: 'prod',
  healthy: false,
  shut_down: null,
  endpoint: 'https://10.20.1.5:6443',
  talos_version: 'v1.13.9',
  kubernetes_version: 'v1.36.3',
  hosts: [{ name: 'pve1', online: true, machines: ['prod-cp-1'] }],
  machines: [machine('prod-cp-1'), machine('prod-storage-2', { ...absent, kubernetes_version: null })],
  etcd: { members: 1, healthy_members: 1, leader: 'prod-cp-1', healthy: true },
  unreadable_secrets: [],
  addons: [],
  guests: [],
  certificates: [{ name: 'Talos CA', expires: '2027-11-15T00:00:00Z' }],
  roll: null,
  drift: [],
  refusal: null,
  notes: [],
  findings: [missing],
  unknown: [],
  ...more,
})
const plain = textStyle({}, {})
const lines = (one: Status, width = 80) => statusText(one, plain, width).split('\n')

test('the verdict and the fix come first', () => {
  expect(lines(status())).toEqual([
    'prod  DEGRADED  1 of 2 machines ready                     https://10.20.1.5:6443',
    'x The VM of prod-storage-2 does not exist.  Fix: Create it: ichor up',
    '',
    'MACHINE         HOST  VMID  ADDRESS     STATE   TALOS    KUBERNETES',
    'prod-cp-1 *     pve1  2000  10.20.1.10  ready   v1.13.9  v1.36.3',
    'prod-storage-2  -     -     -           absent  -        -',
    '',
    'hosts   pve1 online                  etcd    1/1, leader *',
    'addons  none                         certs   next expiry 2027-11-15',
    'drift   none',
    '',
  ])
})

test('facts side by side have a gap between them, however long the first one is', () => {
  const hosts = ['pve1', 'pve2', 'pve3'].map((name) => ({ name, online: name !== 'pve1', machines: [] }))
  expect(lines(status({ hosts }), 100)).toContain('hosts   pve2 pve3 online, pve1 OFFLINE  etcd    1/1, leader *')
})

test('what follows from a finding is not listed beside it', () => {
  const host = finding('ICH0203', 'Host pve2 is offline and holds a, b.', { subject: { kind: 'host', name: 'pve2' } })
  const because = { because: { code: 'ICH0203', subject: 'pve2' } as const }
  const effects = ['a', 'b'].map((name) => finding('ICH0301', `${name} is on host pve2.`, because))
  const shown = lines(status({ findings: [host, ...effects] }), 160)
  expect(shown.filter((line) => line.startsWith('x '))).toEqual(['x Host pve2 is offline and holds a, b.'])
})

test('three problems are shown, the worst first, and doctor lists the others', () => {
  const findings = ['one', 'two', 'three', 'four', 'five'].map((name) => finding('ICH0302', name))
  const note = finding('ICH0902', 'a note', { severity: 'info' })
  const shown = lines(status({ findings: [...findings, note] }))
  expect(shown.slice(1, 6)).toEqual(['x one', 'x two', 'x three', '  ichor doctor lists 2 more', ''])
})

test('a run that was interrupted is said, also in a healthy cluster', () => {
  const run = finding('ICH0310', 'not done', { severity: 'info', detail: 'it was killed', ...up('Go on with it.') })
  const shown = lines(status({ healthy: true, findings: [run] }))
  expect(shown[0]).toContain('HEALTHY')
  expect(shown).toContain('run     the last one did not finish: it was killed  Fix: Go on with it: ichor up')
})

test.each<{ word: string; change: Partial<Status> }>([
  { word: 'DEGRADED', change: {} },
  { word: 'HEALTHY', change: { healthy: true, findings: [] } },
  { word: 'UNKNOWN', change: { findings: [] } },
  { word: 'UNKNOWN', change: { machines: [machine('a', { ...absent, state: 'unverified' })] } },
  { word: 'DOWN', change: { machines: [machine('a', { ready: false, state: 'silent' })] } },
])('a verdict in one word: $word', ({ word, change }) => {
  expect(lines(status(change))[0]).toContain(`prod  ${word}  `)
})

test('a cluster that does not exist yet is one problem, not many', () => {
  const none = { members: 0, healthy_members: 0, leader: null, healthy: false }
  const cause = finding('ICH0326', 'No machine exists.', {
    subject: { kind: 'cluster', name: 'prod' },
    ...up('Create it.'),
  })
  const missing = finding('ICH0301', 'a', { because: { code: 'ICH0326', subject: 'prod' } })
  const machines = [machine('a', absent), machine('b', absent)]
  const shown = lines(status({ machines, etcd: none, findings: [cause, missing] }))
  expect(shown[0]).toContain('prod  NOT CREATED  0 of 2 machines ready')
  expect(shown[1]).toBe('x No machine exists.  Fix: Create it: ichor up')
  expect(shown[2]).toBe('')
})

test('guests have a line of their own, where there are any', () => {
  const guests = [
    { name: 'nas', host: 'pve1', vmid: 120, state: 'running' },
    { name: 'pbs', host: null, vmid: null, state: 'absent' },
  ]
  expect(lines(status({ guests }))).toContain('guests  nas running on pve1, pbs absent')
  expect(lines(status({})).join()).not.toContain('guests')
})

test.each([40, 80, 200])('at %i columns no line is wider, and columns are left out in place of breaking', (width) => {
  const drift = Array.from({ length: 30 }, (_, i) => `set memory of the VM of prod-worker-${i}: memory 8 -> 6 GiB`)
  const shown = lines(status({ drift, notes: ['a note with many words '.repeat(10).trim()] }), width)
  for (const line of shown) expect(line.length).toBeLessThanOrEqual(width)
  expect(shown.some((line) => line.startsWith('MACHINE'))).toBe(true)
  expect(shown.join(' ').replace(/\s+/g, ' ')).toContain('and 25 more: ichor plan shows them all')
})

test.each([
  [{ last: '2026-11-15T12:00:00Z', age_s: 7300, drilled: null }, 'backup  2 h old, never drilled'],
  [{ last: null, age_s: null, drilled: null }, 'backup  none'],
  [null, 'backup  the store cannot be read'],
])('the newest snapshot: %j', (backup, line) => {
  expect(lines(status({ backup }))).toContain(line)
})

test('a cluster that was shut down has a word of its own', () => {
  const off = machine('prod-cp-1', { ready: false, state: 'stopped' })
  const etcd = { members: 0, healthy_members: 0, leader: null, healthy: false }
  const text = lines(status({ shut_down: '2026-11-19T04:20:31.000Z', machines: [off], etcd }))
  expect(text[0]).toBe('prod  SHUT DOWN  0 of 1 machines ready                    https://10.20.1.5:6443')
})
