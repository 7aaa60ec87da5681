import { open, rm } from 'node:fs/promises'
import type { SecretsFile } from '../secrets/bundle.js'
import { formatSecretsFile } from '../secrets/bundle-file.js'
import { kindOf } from '../secrets/sops/data-key.js'
import { encrypt } from './age/encrypt.js'
import { openPayload } from './age/open-age-file.js'
import { makePayloadKey, type PayloadKey } from './age/payload-key.js'
import { type EtcdContent, readEtcdContent, refuseChanged } from './etcd-snapshot/read-etcd-snapshot.js'
import { createTrailerCheck, type HashedFile } from './etcd-snapshot/trailer.js'
import { encryptionFingerprint, formatManifest, type Manifest, sealManifest, secretsFingerprint } from './manifest.js'
import { BackupError, SnapshotRefused } from './snapshot-error.js'
import { objectsOf, snapshotName } from './snapshot-name.js'
import { measure, newSpoolPath, spool } from './spool.js'
import type { SnapshotStore, SpooledFile } from './store.js'

/** What a restore needs besides the data. */
export interface ClusterFacts {
  readonly cluster: string
  readonly clusterId: string
  readonly talosVersion: string
  readonly kubernetesVersion: string
  readonly etcdVersion: string
  readonly members: Manifest['members']
}

export interface SnapshotInput {
  readonly store: SnapshotStore
  /** etcd's own file, as a member streams it. */
  readonly stream: AsyncIterable<Uint8Array>
  /** The name of the member for messages. */
  readonly from: string
  readonly facts: ClusterFacts
  /** Encrypted only for their own recipients, because they are the keys of the cluster. */
  readonly secrets: SecretsFile
  /** Who can decrypt the data of etcd. */
  readonly recipients: readonly string[]
  readonly takenAt: Date
  /** The stream is a member's database file: without a hash, and perhaps in the middle of a write. */
  readonly isRawCopy?: boolean
  /** Called with the bytes received so far. */
  readonly onProgress?: (bytes: number) => void
}

/**
 * Encrypts the stream on its way to the disk, checks its hash, counts its contents, stores it, reads it back, and
 * writes the manifest last, so that a failed snapshot is never listed. Decrypted bytes never reach a disk.
 */
export async function takeSnapshot(input: SnapshotInput, signal: AbortSignal): Promise<Manifest> {
  const { store, recipients } = input
  const [key, secretsKey, folder] = await Promise.all([
    makePayloadKey(recipients),
    findSecretsKey(input.secrets),
    store.spoolFolder(),
  ])
  const paths = [newSpoolPath(folder), newSpoolPath(folder)] as const
  try {
    const check = createTrailerCheck()
    const etcd = await spool(paths[0], encrypt(key, watched(input, check.add, signal)))
    const secrets =
      secretsKey === undefined
        ? undefined
        : await spool(paths[1], encrypt(secretsKey, textParts(formatSecretsFile(input.secrets))))
    const hashed = check.end()
    if (input.isRawCopy !== true) refuseDamaged(hashed, input.from)
    const content = await readSpooled(etcd, key, input.from).catch(input.isRawCopy === true ? unreadable : rethrow)
    return await keep({ ...input, etcd, secretsFile: secrets, hashed, content }, signal)
  } finally {
    await Promise.all(paths.map((path) => rm(path, { force: true })))
  }
}

/** `undefined` if the secrets have no recipients, because they are in plain text or in Vault: the snapshot has none. */
async function findSecretsKey({ recipients = [] }: SecretsFile): Promise<PayloadKey | undefined> {
  const usable = recipients.filter((recipient) => kindOf(recipient) === undefined)
  return usable.length === 0 ? undefined : makePayloadKey(usable)
}

interface Checked extends SnapshotInput {
  readonly etcd: SpooledFile
  readonly secretsFile: SpooledFile | undefined
  readonly hashed: HashedFile
  readonly content: EtcdContent
}

async function keep(checked: Checked, signal: AbortSignal): Promise<Manifest> {
  const { store, etcd, secretsFile } = checked
  const manifest = manifestOf({ ...checked, takenAt: await freeTime(checked, signal) })
  const names = objectsOf(manifest.name)
  try {
    await putChecked(store, names.etcd, etcd, signal)
    if (secretsFile !== undefined) await putChecked(store, names.secrets, secretsFile, signal)
    await store.putText(names.manifest, formatManifest(manifest), { mustBeNew: true }, signal)
    return manifest
  } catch (thrown) {
    await removeUnlisted(store, manifest.name)
    throw thrown
  }
}

/** Of two snapshots with the same content in the same second, the second must not replace the data of the first. */
async function freeTime({ store, facts, takenAt, hashed }: Checked, signal: AbortSignal): Promise<Date> {
  const taken = new Set((await store.list(signal)).map(({ name }) => name))
  let time = takenAt
  while (taken.has(objectsOf(snapshotName(facts.cluster, time, hashed.sha256)).etcd)) time = new Date(+time + 1000)
  return time
}

/** Stores it and reads it back: a store that lost or changed a byte is noticed now, not during a restore. */
async function putChecked(store: SnapshotStore, name: string, file: SpooledFile, signal: AbortSignal): Promise<void> {
  await store.putFile(name, file, signal)
  const back = await measure(store.read(name, signal))
  if (back.size === file.size && back.sha256 === file.sha256) return
  throw new BackupError(
    `${name} was changed by the store: ${back.size} bytes with SHA-256 ${back.sha256}, written were ${file.size} with ${file.sha256}.`,
    { where: store.location, fix: 'Check the disk or the service behind the store, then run `ichor backup` again.' },
  )
}

/** Best effort: `backup prune` removes what is left. */
async function removeUnlisted(store: SnapshotStore, name: string): Promise<void> {
  const signal = AbortSignal.timeout(10_000)
  const { etcd, secrets, manifest } = objectsOf(name)
  const listed = await store.list(signal).catch(() => [])
  if (listed.some((object) => object.name === manifest)) return
  for (const object of [etcd, secrets]) await store.remove(object, signal).catch(() => undefined)
}

function manifestOf({ facts, secrets, takenAt, etcd, hashed, content, from, isRawCopy }: Checked): Manifest {
  const { bundle } = secrets
  return sealManifest(
    {
      version: 1,
      name: snapshotName(facts.cluster, takenAt, hashed.sha256),
      cluster: facts.cluster,
      cluster_id: facts.clusterId,
      taken_at: takenAt.toISOString(),
      talos_version: facts.talosVersion,
      kubernetes_version: facts.kubernetesVersion,
      etcd_version: facts.etcdVersion,
      revision: content.revision,
      size: hashed.size,
      sha256: hashed.sha256,
      encrypted_size: etcd.size,
      encrypted_sha256: etcd.sha256,
      members: facts.members,
      secrets_fingerprint: secretsFingerprint(bundle),
      encryption_fingerprint: encryptionFingerprint(bundle),
      keys: content.keys,
      ...(isRawCopy === true ? { raw_copy_of: from } : {}),
    },
    bundle,
  )
}

async function* watched({ stream, onProgress }: SnapshotInput, add: (bytes: Uint8Array) => void, signal: AbortSignal) {
  let received = 0
  for await (const bytes of stream) {
    signal.throwIfAborted()
    add(bytes)
    received += bytes.length
    onProgress?.(received)
    yield bytes
  }
}

async function* textParts(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** etcd always ends its snapshots with their hash. */
function refuseDamaged(hashed: HashedFile, from: string): void {
  refuseChanged(hashed, from)
  if (hashed.trailerMatches === true) return
  throw new SnapshotRefused('truncated', `The snapshot ended after ${hashed.size} bytes, without its hash.`, {
    where: from,
    fix: 'Run `ichor backup` again.',
  })
}

/** A copy made in the middle of a write is better than none. */
function unreadable(): EtcdContent {
  return { databaseSize: 0, revision: 0, totalKeys: 0, keys: {}, objects: [] }
}

function rethrow(thrown: unknown): never {
  throw thrown
}

/** Counts the keys in what was just written, through the encryption, so that the bytes on disk are checked. */
async function readSpooled({ path, size }: SpooledFile, key: PayloadKey, from: string): Promise<EtcdContent> {
  const file = await open(path)
  try {
    return await readEtcdContent(openPayload(file, size, key, from), { where: from })
  } finally {
    await file.close()
  }
}
