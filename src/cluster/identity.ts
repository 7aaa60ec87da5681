import { createHash } from 'node:crypto'
import type { Identity } from './machine.js'

/** The same cluster and node name give the same identity on any computer. */
export function deriveIdentity(cluster: string, name: string): Identity {
  return { name, uuid: deriveUuid(cluster, name), mac: deriveMac(cluster, name, 0) }
}

/** Locally administered and unicast, with 40 bits of hash. */
export function deriveMac(cluster: string, name: string, nic: number): string {
  const hash = digest('mac', cluster, name, String(nic)).subarray(0, 5)
  return ['02', ...[...hash].map(hex)].join(':').toUpperCase()
}

/** A version 8 UUID (RFC 9562): 122 bits of hash. */
function deriveUuid(cluster: string, name: string): string {
  const bytes = digest('uuid', cluster, name).subarray(0, 16)
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const text = bytes.toString('hex')
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
}

/** The ID in the marks of a cluster: distinguishes clusters without revealing the secret ID. */
export function clusterMarkId(bundleClusterId: string): string {
  return digest('cluster', bundleClusterId).toString('hex').slice(0, 16)
}

function digest(...parts: string[]): Buffer {
  const hash = createHash('sha256').update('ichor')
  for (const part of parts) hash.update('\0').update(part)
  return hash.digest()
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}
