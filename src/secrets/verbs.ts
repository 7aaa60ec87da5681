import { createHash } from 'node:crypto'
import { clusterMarkId } from '../cluster/identity.js'
import { isUnfinished, type RotationPhase, type RotationTarget } from '../cluster/rotation.js'
import { removeDurably, writeDurably } from '../durable-file.js'
import { certificateExpiry } from '../pki/certificate.js'
import type { ClusterMemory, SecretsFile } from './bundle.js'
import { emptyMemory, formatBundle, parseSecretsFile } from './bundle-file.js'
import { clearTextOf, findFile } from './file-store.js'
import { generateBundle } from './generate.js'
import { readImport } from './import/read-import.js'
import { type KeyRing, openText, sealText } from './sealed-text.js'
import { SecretsError } from './secrets-error.js'
import { isSopsText } from './sops/sops-document.js'
import type { SecretsStore } from './store.js'

/** `ichor secrets init`: creates the secrets of a new cluster. */
export async function initSecrets(store: SecretsStore, contract: string): Promise<SecretsFile> {
  const file = { bundle: await generateBundle(contract), memory: { ...emptyMemory, contract } }
  await store.create(file)
  return file
}

/** Facts about secrets without revealing them. */
export interface SecretsSummary {
  readonly location: string
  /** The ID in the marks of this cluster's machines. */
  readonly cluster: string
  readonly contract?: string
  readonly bootstrapped: boolean
  /** The rotation in progress. */
  readonly rotation?: { readonly what: RotationTarget; readonly phase: RotationPhase }
  /** Names of the values stored with the bundle. */
  readonly values: readonly string[]
  readonly authorities: readonly { readonly name: string; readonly expires: string }[]
}

/** `ichor secrets show` without `--reveal`. */
export async function describeSecrets(store: SecretsStore): Promise<SecretsSummary> {
  const { bundle, memory } = await getSecrets(store)
  const { etcd, k8s, k8saggregator, os } = bundle.certs
  const authorities = Object.entries({ os, k8s, etcd, k8saggregator }).map(([name, { crt }]) => ({
    name,
    expires: certificateExpiry(Buffer.from(crt, 'base64').toString()).toISOString(),
  }))
  return {
    location: store.location,
    cluster: clusterMarkId(bundle.cluster.id),
    ...(memory.contract === undefined ? {} : { contract: memory.contract }),
    bootstrapped: memory.bootstrapped,
    ...(isUnfinished(memory.rotation)
      ? { rotation: { what: memory.rotation.what, phase: memory.rotation.phase } }
      : {}),
    values: Object.keys(memory.values),
    authorities,
  }
}

/** `ichor secrets show --reveal`: the bundle as `talosctl` reads it. */
export async function revealSecrets(store: SecretsStore): Promise<string> {
  return formatBundle((await getSecrets(store)).bundle)
}

/**
 * `ichor secrets encrypt`: encrypts a plain file and removes it, or encrypts in place if its name already ends in
 * `.sops.yaml`.
 */
export async function encryptSecrets({ from, to }: { from: string; to: string }, ring: KeyRing): Promise<void> {
  const source = (await findFile(from)) === undefined && (await findFile(to)) !== undefined ? to : from
  const clear = await getFile(source)
  if (isSopsText(clear)) {
    throw new SecretsError('These secrets are encrypted already.', {
      where: source,
      fix: 'Run `ichor secrets rekey` to encrypt them for other keys.',
    })
  }
  parseSecretsFile(clear, source)
  await replaceByNew({ from: source, to }, await sealText(clear, to, ring))
}

/** `ichor secrets decrypt`: the reverse. */
export async function decryptSecrets(paths: { from: string; to: string }, ring: KeyRing): Promise<void> {
  await replaceByNew(paths, await clearSecrets(paths.from, ring))
}

/** `ichor secrets decrypt --out`: the content of the file, validated. */
export async function clearSecrets(path: string, ring: KeyRing): Promise<string> {
  const clear = await clearTextOf(await getFile(path), path, ring)
  parseSecretsFile(clear, path)
  return clear
}

/** `ichor secrets rekey`: a new data key, for the recipients in the current rules. */
export async function rekeySecrets(path: string, ring: KeyRing): Promise<void> {
  const text = await getFile(path)
  if (!isSopsText(text)) {
    throw new SecretsError('These secrets are not encrypted, so there is no key to change.', {
      where: path,
      fix: 'Run `ichor secrets encrypt` first.',
    })
  }
  const clear = await clearTextOf(text, path, ring)
  const sealed = await sealText(clear, path, ring)
  await openText(sealed, path, ring.env)
  await writeDurably(path, sealed, { followsLink: true })
}

/** `ichor secrets import`: imports the secrets of an existing cluster. Returns whether anything was written. */
export async function importSecrets(
  store: SecretsStore,
  source: { text: string; where: string; cluster?: string; memory?: Partial<ClusterMemory> },
  ring: KeyRing,
): Promise<'imported' | 'already-there'> {
  const clear = await clearTextOf(source.text, source.where, ring)
  const found = readImport(clear, source.where, source.cluster === undefined ? {} : { cluster: source.cluster })
  const existing = await store.find()
  if (existing !== undefined) return compareWithExisting(existing, found, store, source.where)
  await store.create({ bundle: found.bundle, memory: { ...found.memory, ...source.memory } })
  return 'imported'
}

function compareWithExisting(
  existing: SecretsFile,
  found: SecretsFile,
  store: SecretsStore,
  where: string,
): 'already-there' {
  if (fingerprint(existing) === fingerprint(found)) return 'already-there'
  const another =
    existing.bundle.cluster.id === found.bundle.cluster.id ? 'other secrets of the same cluster' : 'another cluster'
  throw new SecretsError(`These are the secrets of ${another}, and ${store.location} holds secrets already.`, {
    where,
    fix: 'Import into another inventory, or move the existing secrets away first.',
  })
}

function fingerprint({ bundle }: SecretsFile): string {
  return createHash('sha256').update(formatBundle(bundle)).digest('hex')
}

async function getSecrets(store: SecretsStore): Promise<SecretsFile> {
  const file = await store.find()
  if (file !== undefined) return file
  throw new SecretsError('The cluster has no secrets file yet.', {
    where: store.location,
    fix: 'Run `ichor secrets init`.',
  })
}

async function getFile(path: string): Promise<string> {
  const text = await findFile(path)
  if (text !== undefined) return text
  throw new SecretsError('The file does not exist.', { where: path, fix: 'Check the path.' })
}

async function replaceByNew({ from, to }: { from: string; to: string }, text: string): Promise<void> {
  if (from === to) return writeDurably(to, text, { followsLink: true })
  if ((await findFile(to)) !== undefined) {
    throw new SecretsError('The file already exists.', { where: to, fix: 'Move it away first.' })
  }
  await writeDurably(to, text, { mustBeNew: true })
  await removeDurably(from, { followsLink: true })
}
