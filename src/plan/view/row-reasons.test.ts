import { expect, test } from 'vitest'
import { aStep } from '../../../tests/support/steps.js'
import { seen } from '../../cluster/seen.js'
import type { SeenMachine, WantedMachine } from './machine-rows.js'
import { reasonsOf } from './row-reasons.js'

const at = { name: 'dev-wk-1', host: 'pve1', vmid: 3000 }
const wanted = (...extensions: string[]): WantedMachine => ({
  ...at,
  machine: { name: 'dev-wk-1', cpu: 4, memory: 1, disks: [], extensions },
  disks: [],
})
const running = (extensions?: readonly string[]): SeenMachine => ({
  ...at,
  talos: {
    reach: 'secured',
    version: 'v1.13.9',
    stage: 'running',
    ready: true,
    unmet: [],
    config: seen(''),
    ...(extensions === undefined ? {} : { extensions }),
  },
})
const upgrade = aStep('upgrade-machine', { reason: 'its extensions or kernel arguments changed' })

test.each([
  {
    because: 'one is added',
    want: ['siderolabs/qemu-guest-agent', 'siderolabs/iscsi-tools'],
    runs: ['qemu-guest-agent'],
    sentence: 'extensions + iscsi-tools: reinstalls and reboots it',
  },
  {
    because: 'one is added and one removed',
    want: ['siderolabs/iscsi-tools'],
    runs: ['qemu-guest-agent'],
    sentence: 'extensions + iscsi-tools, - qemu-guest-agent: reinstalls and reboots it',
  },
  {
    because: 'the list is the same',
    want: ['siderolabs/iscsi-tools'],
    runs: ['iscsi-tools'],
    sentence: 'kernel arguments changed: reinstalls and reboots it',
  },
  {
    because: 'those that it runs were not seen',
    want: ['siderolabs/iscsi-tools'],
    runs: undefined,
    sentence: 'extensions iscsi-tools: reinstalls and reboots it',
  },
])('the row of another image has what changes: $because', ({ want, runs, sentence }) => {
  expect(reasonsOf('change', [upgrade], wanted(...want), running(runs))).toEqual([sentence])
})

test('what waits for the restart in a later round is said once, in values', () => {
  const set = aStep('set-options', { reason: 'cpu 4 -> 2, ram 8 GiB -> 6 GiB, needs a restart' })
  const restart = aStep('restart-vm', { reason: 'cores, memory changed, needs a restart' })
  expect(reasonsOf('change', [set, restart], wanted(), running([]))).toEqual([set.reason])
  expect(reasonsOf('change', [restart], wanted(), running([]))).toEqual([restart.reason])
})

test('parts of Kubernetes that go from and to the same versions are one sentence', () => {
  const steps = ['Talos v1.13.9 -> v1.14.1', 'kube-proxy v1.36.3 -> v1.37.0', 'kubelet v1.36.3 -> v1.37.0'].map(
    (reason) => aStep('upgrade', { reason }),
  )
  expect(reasonsOf('change', steps, wanted(), running([]))).toEqual([
    'Talos v1.13.9 -> v1.14.1',
    'kube-proxy, kubelet v1.36.3 -> v1.37.0',
  ])
})
