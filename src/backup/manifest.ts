import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { clusterMarkId } from '../cluster/identity.js'
import { reasonOf } from '../errors.js'
import type { SecretsBundle } from '../secrets/bundle.js'
import { formatBundle } from '../secrets/bundle-file.js'
import { SnapshotRefused } from './snapshot-error.js'
import { isSeal, sealOf, snapshotKey } from './snapshot-seal.js'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const size = z.int().min(0)

const manifestSchema = z.object({
  version: z.literal(1),
  name: z.string().min(1),
  cluster: z.string().min(1),
  cluster_id: z.string().min(1),
  taken_at: z.iso.datetime(),
  talos_version: z.string(),
  kubernetes_version: z.string(),
  etcd_version: z.string(),
  revision: z.int().min(0),
  size,
  sha256,
  encrypted_size: size,
  encrypted_sha256: sha256,
  members: z.array(z.object({ id: z.string(), hostname: z.string(), peer_urls: z.array(z.string()) })),
  secrets_fingerprint: z.string(),
  /** Identifies the key that its Secrets are encrypted with; absent in snapshots of earlier releases. */
  encryption_fingerprint: z.string().optional(),
  keys: z.record(z.string(), z.int()),
  /** A copy of this member's database file: without quorum no member provides a snapshot. It has no hash. */
  raw_copy_of: z.string().optional(),
  seal: z.string(),
})

/** `NAME.json`: describes a snapshot and what a restore needs, sealed with the secrets of its cluster. */
export type Manifest = z.output<typeof manifestSchema>

export type UnsealedManifest = Omit<Manifest, 'seal'>

/** Adds the seal: an HMAC over everything else. */
export function sealManifest(manifest: UnsealedManifest, bundle: SecretsBundle): Manifest {
  return { ...manifest, seal: sealOf(manifest, bundle) }
}

/**
 * Whether it was sealed with the secrets of this cluster and not changed since.
 * @internal
 */
export function isSealedBy({ seal, ...manifest }: Manifest, bundle: SecretsBundle): boolean {
  return isSeal(seal, manifest, bundle)
}

/** Identifies a bundle without revealing it. */
export function secretsFingerprint(bundle: SecretsBundle): string {
  return fingerprintOf(formatBundle(bundle), bundle)
}

/** Identifies the encryption key of Secrets in etcd without revealing it. */
export function encryptionFingerprint(bundle: SecretsBundle): string {
  const { secretboxencryptionsecret, aescbcencryptionsecret } = bundle.secrets
  return fingerprintOf(secretboxencryptionsecret ?? aescbcencryptionsecret ?? '', bundle)
}

function fingerprintOf(text: string, bundle: SecretsBundle): string {
  return createHmac('sha256', snapshotKey(bundle)).update(text).digest('hex').slice(0, 32)
}

export function formatManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Reads a manifest; refuses a damaged one, or one from a newer ichor. */
export function parseManifest(text: string, where: string): Manifest {
  const value = parseJson(text, where)
  const version = (value as { version?: unknown } | null)?.version
  if (typeof version === 'number' && version > 1) {
    throw new SnapshotRefused('too-new', `The manifest has version ${version}, and this ichor reads version 1.`, {
      where,
      fix: 'Use the version of ichor that took the snapshot, or a newer one.',
    })
  }
  const parsed = manifestSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw damaged(where, parsed.error)
}

/** Why it is not a manifest that this cluster wrote; `undefined` if it is. */
export function foreignReason(manifest: Manifest, bundle: SecretsBundle): string | undefined {
  if (isSealedBy(manifest, bundle)) return undefined
  const clusterId = clusterMarkId(bundle.cluster.id)
  return manifest.cluster_id === clusterId
    ? 'its seal does not match: its manifest was changed after it was written'
    : `it belongs to another cluster (${manifest.cluster}, id ${manifest.cluster_id}; this one is ${clusterId})`
}

/** Refuses a snapshot whose Secrets can no longer be decrypted: their key was rotated after it was taken. */
export function refuseOldKey({ encryption_fingerprint, name }: Manifest, bundle: SecretsBundle, where: string): void {
  const accepted = (bundle.accepted?.secretbox ?? []).map((key) => fingerprintOf(key, bundle))
  const known = [undefined, encryptionFingerprint(bundle), ...accepted]
  if (known.includes(encryption_fingerprint)) return
  throw new SnapshotRefused(
    'old-key',
    `The Secrets in snapshot ${name} are encrypted with a key that was rotated after it was taken.`,
    {
      where,
      fix: `Choose a newer snapshot from \`ichor backup list\`, or put the secrets of that time back first: they are in ${name}.secrets.age, or in the history of the secrets.`,
    },
  )
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw damaged(where, cause)
  }
}

function damaged(where: string, cause: unknown): SnapshotRefused {
  return new SnapshotRefused('corrupt', `The manifest is damaged: ${reasonOf(cause).split('\n')[0]}.`, {
    where,
    fix: 'Choose another snapshot from `ichor backup list`.',
    cause,
  })
}
