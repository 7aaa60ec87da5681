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
  const cluster = registry.found('ca', facts)
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
  for (const id of ids.slice(0, running)) cluster.run(id, () => true)
  expect(cluster.hasQuorum()).toBe(quorum)
  expect(cluster.leader() !== undefined).toBe(quorum)
})

test('a learner does not vote, and leadership moves when the leader stops', () => {
  const { cluster, ids } = aCluster(3)
  const stops = ids.map((id) => cluster.run(id, () => true))
  const first = cluster.leader()
  stops[ids.indexOf(first ?? '')]?.()
  expect(cluster.leader()).not.toBe(first)
  cluster.add({ id: 'f'.repeat(16), name: 'new', peerUrls: [], clientUrls: [], isLearner: true })
  expect(cluster.hasQuorum()).toBe(true)
})

test('a snapshot is pages with their hash behind them, and reads back', () => {
  const file = Buffer.concat([...snapshotFile({ objects: ['a'] }, 1_000_000)])
  expect(file.length % 512).toBe(32)
  expect(readSnapshotFile(file)).toEqual({ content: { objects: ['a'] }, hashIsRight: true })
  file[5000] = 1
  expect(readSnapshotFile(file)?.hashIsRight).toBe(false)
  expect(readSnapshotFile(file.subarray(0, -32))?.hashIsRight).toBe(false)
  expect(readSnapshotFile(Buffer.from('no database'))).toBeUndefined()
})

test('what a registry saves, another one restores', () => {
  const { registry, cluster } = aCluster(3)
  const saved = JSON.parse(JSON.stringify(registry.save()))
  const other = new EtcdRegistry(aKubernetes(), () => 'f')
  other.restore(saved)
  expect(other.find(cluster.id)?.members.size).toBe(3)
})
