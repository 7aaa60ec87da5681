import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { startTestCluster } from '../../../src/simulator/kubernetes/testing.js'
import { readBbolt } from '../../../src/simulator/talos/etcd/bbolt-reader.js'
import { EtcdCluster } from '../../../src/simulator/talos/etcd/etcd-cluster.js'
import { readSnapshotFile, snapshotFile } from '../../../src/simulator/talos/etcd/snapshot-file.js'
import { startChecks } from '../../real-clients/kubectl/check.js'
import { crc32c } from './crc32c.js'

/** etcd's own snapshot status and restore judge the snapshots that the lab streams. */
interface Verdict {
  readonly status: { hash: number; revision: number; totalKey: number; totalSize: number; version: string }
  readonly statusError?: string
  readonly restoreError?: string
  readonly revision: number
  readonly values: Readonly<Record<string, string>> | null
}

const tool = process.argv[2] ?? './etcd-snapshot'
const checks = startChecks()
const folder = mkdtempSync(join(tmpdir(), 'ichor-etcd-snapshot-'))

/** So many objects that the keys take several levels of pages, and one that is larger than many pages. */
function manyObjects(): string {
  const object = (n: number) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `map-${n}`, namespace: 'default' },
    data: { text: 'x'.repeat(n === 0 ? 300_000 : n % 900) },
  })
  return Array.from({ length: 3000 }, (_, n) => JSON.stringify(object(n))).join('\n---\n')
}

/** A cluster with a node, its system pods, and many objects. */
async function aFullCluster(): Promise<EtcdCluster> {
  const inlineManifests = [{ name: 'many', contents: manyObjects() }]
  const kubernetes = await startTestCluster({ speed: 500, facts: { inlineManifests } })
  kubernetes.addNode({ nodeName: 'wk-1' })
  await kubernetes.clock.sleep(60_000)
  const { store, ...rest } = kubernetes
  await rest.close()
  const facts = { name: 'test', podSubnets: [], serviceSubnets: [], cni: 'none', kubeProxy: true, inlineManifests: [] }
  const cluster = new EtcdCluster({
    id: 'f1',
    identity: 'ca',
    facts: { ...facts, cni: 'none' },
    version: '3.6.0',
    store,
  })
  for (const [id, isLearner] of [
    ['8e9e05c52164694d', false],
    ['91bc3c398fb3c146', true],
  ] as const) {
    const url = (port: number) => [`https://10.5.0.2:${port}`]
    cluster.add({ id, name: `cp-${id}`, peerUrls: url(2380), clientUrls: url(2379), isLearner })
  }
  return cluster
}

/** What etcd's status shows, read by the lab's own reader. */
function ownStatus(file: Buffer): Omit<Verdict['status'], 'version'> {
  const pages = file.subarray(0, -32)
  const pieces: Uint8Array[] = []
  for (const [name, entries] of readBbolt(pages) ?? []) pieces.push(Buffer.from(name), ...entries.flat())
  const content = readSnapshotFile(file)?.content
  return {
    hash: crc32c(pieces),
    revision: content?.revision ?? 0,
    totalKey: content?.records.length ?? 0,
    totalSize: pages.length,
  }
}

function write(name: string, bytes: Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

try {
  const cluster = await aFullCluster()
  const small = Buffer.concat([...snapshotFile(cluster)])
  cluster.extraSize = 300 * 1024 ** 2
  const large = Buffer.concat([...snapshotFile(cluster)])
  const damaged = Buffer.from(small)
  damaged.writeUInt8(damaged.readUInt8(damaged.length - 1) ^ 1, damaged.length - 1)
  const files = [write('small', small), write('large', large), write('damaged', damaged)]
  const verdicts = JSON.parse(execFileSync(tool, files, { maxBuffer: 1 << 28 }).toString()) as Verdict[]
  const expected = Object.fromEntries(cluster.store.content().records.map(({ key, value }) => [key, value]))

  for (const [name, file, verdict] of [
    ['a snapshot', small, verdicts[0]],
    ['one with free pages', large, verdicts[1]],
  ] as const) {
    const own = ownStatus(file)
    const { version, ...status } = verdict?.status ?? { version: '' }
    checks.check(
      `${name}: status agrees on hash, revision, keys and size`,
      verdict?.statusError === undefined && isDeepStrictEqual(status, own),
      `etcdutl: ${verdict?.statusError ?? JSON.stringify(status)}\nlab:     ${JSON.stringify(own)}`,
    )
    checks.check(`${name}: the storage version is 3.6.0`, version === '3.6.0', `etcdutl: ${version}`)
    checks.check(
      `${name}: an etcd that is restored from it has every key and value`,
      isDeepStrictEqual(verdict?.values, expected),
      verdict?.restoreError ?? `${Object.keys(verdict?.values ?? {}).length} of ${Object.keys(expected).length} keys`,
    )
    checks.check(
      `${name}: and the revision`,
      verdict?.revision === own.revision,
      `restored: ${verdict?.revision}, lab: ${own.revision}`,
    )
  }
  checks.check(
    'a snapshot with a wrong hash is refused by both',
    verdicts[2]?.restoreError?.startsWith('expected sha256') === true &&
      readSnapshotFile(damaged)?.hashProblem === verdicts[2].restoreError,
    `etcdutl: ${verdicts[2]?.restoreError}\nlab:     ${readSnapshotFile(damaged)?.hashProblem}`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(checks.finish())
