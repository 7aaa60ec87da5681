import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { canonicalJson } from '../cluster/canonical.js'

/** A 32-digit hex digest of a value. The value cannot be guessed from it. */
export type Digester = (value: unknown) => string

/**
 * Keyed with the cluster secrets, because written values may contain secrets. Before the secrets exist, only references
 * to them are digested.
 */
export function createDigester(cluster: { readonly id: string; readonly secret: string } | undefined): Digester {
  if (cluster === undefined) return plainDigest
  const key = Buffer.from(hkdfSync('sha256', cluster.secret, cluster.id, 'ichor plan v1', 32))
  return (value) => createHmac('sha256', key).update(canonicalJson(value)).digest('hex').slice(0, 32)
}

export const plainDigest: Digester = (value) =>
  createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32)
