import { expect, test } from 'vitest'
import { aKubernetes } from '../testing/fake-kubernetes.js'
import { EtcdRegistry } from './etcd-registry.js'
import { readSnapshotFile, snapshotFile } from './snapshot-file.js'

const facts = {
  name: 'dev',
  podSubnets: ['10.244.0.0/16'],
  serviceSubnets: ['10.96.0.0/12'],
  cni: 'flannel',
  kubeProxy: true,
  inlineManifests: [],
} as const

function aCluster(size: number) {
  let count = 0
  const registry = new EtcdRegistry(aKubernetes(), (bytes) => (++count).toString(16).padStart(bytes * 2, '0'))
  const cluster = registry.found('ca', facts, '3.6.0')
  const ids = Array.from({ length: size }, () => registry.newMemberId())
  for (const id of ids) cluster.add({ id, name: id, peerUrls: [], clientUrls: [], isLearner: false })
  return { registry, cluster, ids }
}

test.each([
  { size: 1, running: 1, quorum: true },
  { size: 3, running: 2, quorum: true },
  { size: 3, running: 1, quorum: false },
  { size: 4, running: 2, quorum: false },
])('$running of $size members have a majority: $quorum', ({ size, running, quorum }) => {
  const { cluster, ids } = aCluster(size)
  for (const id of ids.slice(0, running)) cluster.run(id, () => true, '3.6.12')
  expect(cluster.hasQuorum()).toBe(quorum)
  expect(cluster.leader() !== undefined).toBe(quorum)
})

test('a learner does not vote, and leadership moves when the leader stops', () => {
  const { cluster, ids } = aCluster(3)
  const stops = ids.map((id) => cluster.run(id, () => true, '3.6.12'))
  const first = cluster.leader()
  stops[ids.indexOf(first ?? '')]?.()
  expect(cluster.leader()).not.toBe(first)
  cluster.add({ id: 'f'.repeat(16), name: 'new', peerUrls: [], clientUrls: [], isLearner: true })
  expect(cluster.hasQuorum()).toBe(true)
})

test('a snapshot is a database with its hash behind it, and reads back', () => {
  const { cluster } = aCluster(1)
  cluster.extraSize = 1_000_000
  const file = Buffer.concat([...snapshotFile(cluster)])
  expect(file.length % 512).toBe(32)
  expect(readSnapshotFile(file)).toEqual({ content: cluster.store.content() })
  expect(readSnapshotFile(file.subarray(0, -32))?.hashProblem).toBe('snapshot missing hash')
  file[file.length - 5000] = 1
  expect(readSnapshotFile(file)?.hashProblem).toMatch(/^expected sha256 /)
  expect(readSnapshotFile(Buffer.from('no database'))).toBeUndefined()
})

test('the version rises when every member runs a later etcd, and not before', () => {
  const { cluster, ids } = aCluster(3)
  const [first = '', second = '', third = ''] = ids
  const stop = cluster.run(first, () => true, '3.6.12')
  cluster.run(second, () => true, '3.7.1')
  cluster.run(third, () => true, '3.7.1')
  expect(cluster.version).toBe('3.6.0')
  stop()
  cluster.agreeOnVersion()
  expect(cluster.version).toBe('3.6.0')
  cluster.run(first, () => true, '3.7.1')
  expect(cluster.version).toBe('3.7.0')
})

test('what a registry saves, another one restores', () => {
  const { registry, cluster } = aCluster(3)
  const saved = JSON.parse(JSON.stringify(registry.save()))
  const other = new EtcdRegistry(aKubernetes(), () => 'f')
  other.restore(saved)
  expect(other.find(cluster.id)?.members.size).toBe(3)
})
