import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { checkEtcdFile, readEtcdContent } from '../../../src/backup/etcd-snapshot/read-etcd-snapshot.js'
import { listSnapshots } from '../../../src/backup/list-snapshots.js'
import { openSnapshot } from '../../../src/backup/open-snapshot.js'
import { createS3Client } from '../../../src/backup/s3/s3-client.js'
import { s3Location } from '../../../src/backup/s3/s3-location.js'
import { createS3Store } from '../../../src/backup/s3/s3-store.js'
import { takeSnapshot } from '../../../src/backup/take-snapshot.js'
import { emptyMemory } from '../../../src/secrets/bundle-file.js'
import { generateBundle } from '../../../src/secrets/generate.js'
import { keysOfLargeFile, largeEtcdFile } from '../../support/large-etcd-file.js'
import { startChecks } from '../kubectl/check.js'
import { openBadLine, type Weather } from './bad-line.js'
import { startRadosgw } from './radosgw.js'

const { signal } = new AbortController()
const mebibyte = 1024 ** 2
const size = 40 * mebibyte
const keys = { accessKey: 'AKIDFULL', secretKey: 'full-secret' }
const smallKeys = { accessKey: 'AKIDSMALL', secretKey: 'small-secret' }
const patience = { idleMs: 3_000, retryAfterMs: [100, 200] }
const checks = startChecks()
const identity = await generateX25519Identity()
const secrets = { bundle: await generateBundle('v1.13'), memory: emptyMemory }
const work = await mkdtemp(join(tmpdir(), 'ichor-s3-'))
process.env.TMPDIR = work
const rados = await startRadosgw()
const line = await openBadLine(rados.port)

function locationOf(bucket: string, credentials: { accessKey: string; secretKey: string }) {
  return s3Location(`s3://${bucket}/clusters/dev`, { endpoint: `http://127.0.0.1:${line.port}`, ...credentials }, {})
}

async function makeBucket(name: string, credentials: typeof keys) {
  await createS3Client({ ...locationOf(name, credentials) }).call({ method: 'PUT' }, signal)
  return createS3Store(locationOf(name, credentials), patience)
}

const owner = { cluster: 'dev', bundle: secrets.bundle }
let minute = 0
async function take(store: ReturnType<typeof createS3Store>) {
  const facts = {
    cluster: 'dev',
    clusterId: '0',
    talosVersion: '',
    kubernetesVersion: '',
    etcdVersion: '',
    members: [],
  }
  const recipients = [await identityToRecipient(identity)]
  const takenAt = new Date(Date.UTC(2026, 10, 15, 12, minute++))
  return takeSnapshot({ store, stream: largeEtcdFile(size), from: 'etcd', facts, secrets, recipients, takenAt }, signal)
}

/** Fails as it should, and nothing of it is in the list, in the bucket or on this computer. */
async function failsCleanly(title: string, store: ReturnType<typeof createS3Store>, problem: RegExp): Promise<void> {
  await checks.attempt(title, async () => {
    const before = (await listSnapshots(store, owner, signal)).objects.length
    const outcome = await take(store).then(
      () => 'taken',
      (error: Error) => error.message,
    )
    if (!problem.test(outcome)) throw new Error(`expected ${problem}, got: ${outcome}`)
    line.set(undefined)
    const { snapshots, broken, objects } = await listSnapshots(store, owner, signal)
    if (broken.length > 0 || objects.length !== before)
      throw new Error(`left behind: ${objects.map(({ name }) => name)} ${snapshots.length}`)
    const leftovers = (await readdir(work)).filter((name) => name.startsWith('.ichor-'))
    if (leftovers.length > 0) throw new Error(`left on disk: ${leftovers}`)
  })
}

async function comesBack(title: string, store: ReturnType<typeof createS3Store>, weather?: Weather): Promise<void> {
  await checks.attempt(title, async () => {
    line.set(weather)
    const manifest = await take(store)
    line.set(undefined)
    const opened = await openSnapshot(store, manifest, [identity], signal)
    try {
      await checkEtcdFile(opened.source, opened.where)
      const { totalKeys } = await readEtcdContent(opened.source, { where: opened.where })
      if (totalKeys !== keysOfLargeFile(size)) throw new Error(`${totalKeys} keys came back`)
    } finally {
      await opened.close()
    }
  })
}

async function judge(): Promise<void> {
  rados.addUser('full', keys)
  rados.addUser('small', smallKeys, 20 * mebibyte)
  const store = await makeBucket('backups', keys)
  await comesBack('a snapshot of 40 MiB goes there in parts and comes back', store)
  await comesBack('a connection that is cut once in a part: sent again', store, {
    afterBytes: 5 * mebibyte,
    fault: 'cut',
    times: 1,
  })
  await comesBack('a service that stalls once in a part: sent again', store, {
    afterBytes: 5 * mebibyte,
    fault: 'stall',
    times: 1,
  })
  line.set({ afterBytes: 5 * mebibyte, fault: 'cut', times: 1000 })
  await failsCleanly('a connection that is always cut half-way', store, /does not answer/)
  line.set({ afterBytes: 5 * mebibyte, fault: 'stall', times: 1000 })
  await failsCleanly('a service that always stalls half-way', store, /no answer for 3 s/)
  await failsCleanly('a full bucket', await makeBucket('small', smallKeys), /QuotaExceeded/)
  await checks.attempt('wrong credentials, an unknown bucket: said so', async () => {
    for (const [bucket, credentials, code] of [
      ['backups', { ...keys, secretKey: 'wrong' }, 'SignatureDoesNotMatch'],
      ['backups', { ...keys, accessKey: 'WRONG' }, 'InvalidAccessKeyId'],
      ['backups', smallKeys, 'AccessDenied'],
      ['nowhere', keys, 'NoSuchBucket'],
    ] as const) {
      const outcome = await take(createS3Store(locationOf(bucket, credentials), patience)).then(
        () => 'taken',
        (error: Error) => error.message,
      )
      if (!outcome.includes(code)) throw new Error(`expected ${code}, got: ${outcome}`)
    }
  })
  await checks.attempt('a manifest never replaces another', async () => {
    await store.putText('dev.json', 'one', { mustBeNew: true }, signal)
    const outcome = await store.putText('dev.json', 'two', { mustBeNew: true }, signal).then(
      () => 'taken',
      (error: Error) => error.message,
    )
    if (!outcome.includes('PreconditionFailed')) throw new Error(outcome)
  })
  await checks.attempt('uploads that a killed run left are ended', async () => {
    const client = createS3Client(locationOf('backups', keys))
    await client.call({ method: 'POST', name: 'left', query: { uploads: '' } }, signal)
    await store.removeUnfinished(Date.now() + 60_000, signal)
    const { body } = await client.call({ method: 'GET', query: { uploads: '' } }, signal)
    if (body.includes('<Upload>')) throw new Error(body)
  })
}

try {
  await judge()
} finally {
  await line.close()
  await rados.stop()
  await rm(work, { recursive: true, force: true })
}
process.exitCode = checks.finish()
