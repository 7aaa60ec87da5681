import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { canonicalJson } from '../cluster/canonical.js'
import type { SecretsBundle } from '../secrets/bundle.js'

/** What a user who may write to the store cannot forge: an HMAC with a key of the cluster's secrets. */
export function sealOf(value: object, bundle: SecretsBundle): string {
  return `v1:${createHmac('sha256', snapshotKey(bundle)).update(canonicalJson(value)).digest('base64url')}`
}

export function isSeal(seal: string, value: object, bundle: SecretsBundle): boolean {
  const [expected, found] = [Buffer.from(sealOf(value, bundle)), Buffer.from(seal)]
  return found.length === expected.length && timingSafeEqual(found, expected)
}

/** Neither `cluster.id` nor `cluster.secret` is ever rotated, so it never changes. */
export function snapshotKey({ cluster }: SecretsBundle): Buffer {
  return Buffer.from(hkdfSync('sha256', cluster.secret, cluster.id, 'ichor snapshot v1', 32))
}
