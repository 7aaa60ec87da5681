import { createHmac, timingSafeEqual } from 'node:crypto'
import type { BoundCredential, BoundTo, Destination } from '../secrets/bound-to.js'

/** Credentials that are in use side by side, such as an old token and its renewal. */
const maxSeals = 4

/**
 * Proves that the author of a binding knows the credential. The secrets file alone does not: its public recipients are
 * enough to write another one.
 */
function sealOf(name: BoundCredential, { to, pin, via }: Destination, credential: string): string {
  const text = ['ichor bound_to v1', name, to.join(' '), pin, via].join('\n')
  return createHmac('sha256', credential).update(text).digest('base64url')
}

export function isSealedWith(name: BoundCredential, bound: BoundTo, credential: string): boolean {
  const right = Buffer.from(sealOf(name, bound, credential))
  return bound.seals.map((seal) => Buffer.from(seal)).some((seal) => isEqual(seal, right))
}

/** For these credentials, beside those for which the same was confirmed before. */
export function sealed(
  name: BoundCredential,
  destination: Destination,
  credentials: readonly string[],
  before: BoundTo | undefined,
): BoundTo {
  const { to, pin, via } = destination
  const fresh = credentials.map((credential) => sealOf(name, destination, credential))
  const isSame = before?.to.join(' ') === to.join(' ') && before.pin === pin && before.via === via
  return { to, pin, via, seals: [...new Set([...fresh, ...(isSame ? before.seals : [])])].slice(0, maxSeals) }
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
