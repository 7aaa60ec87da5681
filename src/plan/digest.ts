import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { canonicalJson } from '../cluster/canonical.js'

/** 32 hex digits that stand for a value, and from which it cannot be guessed. */
export type Digester = (value: unknown) => string

/** Keyed from the secrets, since what is written may hold some; before there are any, only references to them are known. */
export function createDigester(cluster: { readonly id: string; readonly secret: string } | undefined): Digester {
  if (cluster === undefined) return plainDigest
  const key = Buffer.from(hkdfSync('sha256', cluster.secret, cluster.id, 'ichor plan v1', 32))
  return (value) => createHmac('sha256', key).update(canonicalJson(value)).digest('hex').slice(0, 32)
}

export const plainDigest: Digester = (value) =>
  createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32)
