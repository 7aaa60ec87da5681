import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { fileSource } from '../../../src/backup/byte-source.js'
import {
  checkEtcdFile,
  type EtcdContent,
  readEtcdContent,
  statusHash,
} from '../../../src/backup/etcd-snapshot/read-etcd-snapshot.js'
import { createFolderStore } from '../../../src/backup/folder-store.js'
import { objectsOf } from '../../../src/backup/snapshot-name.js'
import { takeSnapshot } from '../../../src/backup/take-snapshot.js'
import { emptyMemory } from '../../../src/secrets/bundle-file.js'
import { generateBundle } from '../../../src/secrets/generate.js'
import { startChecks } from '../../real-clients/kubectl/check.js'
import { lives } from './lives.js'
import { etcdutl, type RealEtcd, startEtcd } from './real-etcd.js'

const tools = process.argv[2] ?? '.'
const checks = startChecks()
const work = await mkdtemp(join(tmpdir(), 'ichor-etcd-'))

/** Our reading of a file, from its hash to its last key. */
async function read(path: string): Promise<EtcdContent & { hash: number }> {
  const file = await open(path)
  try {
    const source = fileSource(file, (await file.stat()).size)
    await checkEtcdFile(source, path)
    return {
      ...(await readEtcdContent(source, { where: path })),
      hash: Number.parseInt(await statusHash(source, path), 16),
    }
  } finally {
    await file.close()
  }
}

/** etcd's snapshot through our store, and decrypted by age itself. */
async function throughOurStore(etcd: RealEtcd, folder: string): Promise<string> {
  const identity = await generateX25519Identity()
  const store = createFolderStore(join(folder, 'store'))
  const facts = {
    cluster: 'dev',
    clusterId: '0',
    talosVersion: '',
    kubernetesVersion: '',
    etcdVersion: '',
    members: [],
  }
  const manifest = await takeSnapshot(
    {
      store,
      stream: etcd.snapshot(),
      from: 'etcd',
      facts,
      secrets: { bundle: await generateBundle('v1.13'), memory: emptyMemory },
      recipients: [await identityToRecipient(identity)],
      takenAt: new Date(),
    },
    new AbortController().signal,
  )
  await writeFile(join(folder, 'key.txt'), identity)
  const clear = join(folder, 'snapshot.db')
  const args = ['-d', '-i', join(folder, 'key.txt'), '-o', clear, join(store.location, objectsOf(manifest.name).etcd)]
  const { status, stderr } = spawnSync(join(tools, 'age'), args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`age: ${stderr}`)
  return clear
}

/** Ranges over each prefix on an etcd that was restored from the file, sub-prefixes taken off as we do. */
async function countsAfterRestore(path: string, folder: string, prefixes: readonly string[]) {
  etcdutl(tools, ['snapshot', 'restore', path, '--data-dir', join(folder, 'data')])
  const etcd = await startEtcd(tools, folder)
  try {
    const counts = new Map<string, number>()
    for (const prefix of [...prefixes].sort((one, other) => other.length - one.length)) {
      const inside = [...counts]
        .filter(([longer]) => longer.startsWith(prefix))
        .reduce((sum, [, count]) => sum + count, 0)
      counts.set(prefix, (await etcd.count(prefix)) - inside)
    }
    return {
      total: await etcd.count(''),
      counts: Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1))),
    }
  } finally {
    await etcd.stop()
  }
}

async function judge(title: string, live: (etcd: RealEtcd) => Promise<void>, folder: string): Promise<string> {
  await mkdir(join(folder, 'restored'), { recursive: true })
  const etcd = await startEtcd(tools, folder)
  const clear = await live(etcd)
    .then(() => throughOurStore(etcd, folder))
    .finally(() => etcd.stop())
  const status = JSON.parse(etcdutl(tools, ['snapshot', 'status', clear, '-w', 'json'])) as Record<string, unknown>
  const ours = await read(clear)
  const shown = {
    hash: ours.hash,
    revision: ours.revision,
    totalKey: ours.totalKeys,
    totalSize: ours.databaseSize,
    version: ours.storageVersion ?? '',
  }
  checks.check(
    `${title}: as etcdutl snapshot status`,
    isDeepStrictEqual(shown, status),
    `${JSON.stringify(shown)} ${JSON.stringify(status)}`,
  )
  const restored = await countsAfterRestore(clear, join(folder, 'restored'), Object.keys(ours.keys))
  const same = isDeepStrictEqual(restored, { total: ours.totalKeys, counts: ours.keys })
  checks.check(
    `${title}: restored by etcdutl, the same keys`,
    same,
    `${JSON.stringify(ours.keys)} ${JSON.stringify(restored)}`,
  )
  return clear
}

/** What we refuse, etcdutl refuses to restore, too. */
async function judgeDamage(path: string): Promise<void> {
  const bytes = await readFile(path)
  const flipped = Buffer.from(bytes)
  flipped[20_000] = (flipped[20_000] ?? 0) ^ 1
  const damages: readonly [string, Buffer][] = [
    ['snapshot-corrupt', flipped],
    ['snapshot-truncated', bytes.subarray(0, -1)],
    ['snapshot-truncated', bytes.subarray(0, Math.floor(bytes.length / 2))],
    ['snapshot-truncated', bytes.subarray(0, 100)],
  ]
  for (const [index, [code, damaged]] of damages.entries()) {
    const bad = join(work, `damaged-${index}`)
    await writeFile(bad, damaged)
    const ours = await read(bad).then(
      () => 'taken',
      (error: { code?: string }) => error.code,
    )
    const theirs = await restoreOf(bad, join(work, `damaged-${index}-data`))
    checks.check(
      `${damaged.length} of ${bytes.length} bytes: ${code}`,
      ours === code && theirs === 'refused',
      `${ours}, ${theirs}`,
    )
  }
}

async function restoreOf(path: string, folder: string): Promise<'restored' | 'refused'> {
  try {
    etcdutl(tools, ['snapshot', 'restore', path, '--data-dir', folder])
    return 'restored'
  } catch {
    return 'refused'
  }
}

try {
  let last = ''
  for (const [index, { title, live }] of lives.entries()) last = await judge(title, live, join(work, String(index)))
  await judgeDamage(last)
} finally {
  await rm(work, { recursive: true, force: true })
}
process.exitCode = checks.finish()
