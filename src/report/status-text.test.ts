import { expect, test } from 'vitest'
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
  ...more,
})
const plain = textStyle({}, {})
const lines = (one: Status, width = 80) => statusText(one, plain, width).split('\n')

test('the verdict and the fix come first', () => {
  expect(lines(status())).toEqual([
    'prod  DEGRADED  1 of 2 machines ready                     https://10.20.1.5:6443',
    'x prod-storage-2: its VM does not exist.  Fix: ichor up',
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

test('a host that is offline is named once, with its machines', () => {
  const hosts = [{ name: 'pve2', online: false, machines: ['a', 'b'] }]
  const lost = { host: 'pve2', ready: false, state: 'host down' }
  const shown = lines(status({ hosts, machines: [machine('a', lost), machine('b', lost), machine('c')] }), 160)
  expect(shown.filter((line) => line.startsWith('x '))).toEqual([
    'x Host pve2 is offline; it holds a, b.  Fix: bring pve2 back, then ichor up; if it is lost: ichor replace --host pve2 --gone',
  ])
})

test('why up would refuse is one problem with its fix, in place of a line for each VM that cannot be verified', () => {
  const machines = ['a', 'b'].map((name) => machine(name, { ...absent, state: 'unverified' }))
  const refusal = { problem: 'The secrets are missing.', fix: 'Restore the secrets file.' }
  const shown = lines(status({ machines, refusal }), 100)
  expect(shown.filter((line) => line.startsWith('x '))).toEqual([
    'x ichor up would refuse: The secrets are missing.  Fix: Restore the secrets file.',
  ])
  expect(shown).toEqual(expect.arrayContaining([expect.stringMatching(/etcd {4}unknown$/), 'drift   unknown']))
})

test('a cluster that does not exist yet is one problem, not many', () => {
  const none = { members: 0, healthy_members: 0, leader: null, healthy: false }
  const shown = lines(status({ machines: [machine('a', absent), machine('b', absent)], etcd: none }))
  expect(shown[0]).toContain('prod  NOT CREATED  0 of 2 machines ready')
  expect(shown[1]).toBe('x No machine of this cluster exists.  Fix: ichor up creates it')
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

test('a certificate that ends soon is a problem', () => {
  const certificates = [{ name: 'kubeconfig', expires: '2026-12-01T00:00:00Z', expires_soon: true }]
  expect(lines(status({ certificates }))[2]).toBe('x kubeconfig expires on 2026-12-01.  Fix: ichor up writes a new one')
  const tokens = [{ name: 'token ichor-dev@pve!ichor', expires: '2026-12-01T00:00:00Z', expires_soon: true }]
  expect(lines(status({ certificates: tokens }))[2]).toBe(
    'x token ichor-dev@pve!ichor expires on 2026-12-01.  Fix: ichor access --renew',
  )
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

test('a cluster that was shut down is one line, not one for each of its machines', () => {
  const off = machine('prod-cp-1', { ready: false, state: 'stopped' })
  const etcd = { members: 0, healthy_members: 0, leader: null, healthy: false }
  const text = lines(status({ shut_down: '2026-11-19T04:20:31.000Z', machines: [off], etcd }))
  expect(text.slice(0, 3)).toEqual([
    'prod  SHUT DOWN  0 of 1 machines ready                    https://10.20.1.5:6443',
    'x ichor shutdown turned it off on 2026-11-19 at 04:20 UTC.  Fix: ichor up',
    '',
  ])
})
