import { expect, test } from 'vitest'
import type { Status } from '../status/status.js'
import { statusText } from './status-text.js'
import { textStyle } from './text-style.js'

const status = (drift: readonly string[]): Status => ({
  version: 1,
  cluster: 'dev',
  healthy: false,
  endpoint: null,
  talos_version: 'v1.13.9',
  kubernetes_version: 'v1.36.3',
  hosts: [],
  machines: [],
  etcd: { members: 0, healthy_members: 0, leader: null, healthy: false },
  addons: [],
  certificates: [],
  drift,
  notes: [],
})
const driftIn = (count: number) =>
  statusText(status(Array.from({ length: count }, (_, i) => `step ${i + 1}`)), textStyle({}, {}))
    .split('\n')
    .filter((line) => line.startsWith('drift'))

test('drift fits the screen; the plan reports the rest', () => {
  expect(driftIn(12)).toHaveLength(12)
  expect(driftIn(30)).toHaveLength(12)
  expect(driftIn(30).at(-1)).toBe('drift and 19 steps more: ichor plan shows them all')
})
