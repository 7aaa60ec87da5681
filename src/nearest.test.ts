import { expect, test } from 'vitest'
import { findNearest } from './nearest.js'

const known = ['cluster_name', 'network', 'gateway', 'worker_count', 'worker_pools', 'vm', 'vm_ids', 'talos']

test.each([
  ['netwrok', 'network'],
  ['clusterName', 'cluster_name'],
  ['cluster-name', 'cluster_name'],
  ['workers_count', 'worker_count'],
  ['vms', 'vm'],
  ['gateways', 'gateway'],
  ['firewall', undefined],
  ['x', undefined],
])('%s means %s', (word, expected) => {
  expect(findNearest(word, known)).toBe(expected)
})
