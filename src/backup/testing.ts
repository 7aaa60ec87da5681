import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { SecretsFile } from '../secrets/bundle.js'
import { emptyMemory } from '../secrets/bundle-file.js'
import { generateBundle } from '../secrets/generate.js'
import type { ByteSource } from './byte-source.js'
import type { ClusterFacts } from './take-snapshot.js'

/** A snapshot that a real etcd 3.6.8 streamed: 18 keys of several kinds, revisions 2 to 5, some of them deleted. */
export function realSnapshot(): Buffer {
  return gunzipSync(readFileSync(new URL('./testdata/etcd-3.6.snapshot.gz', import.meta.url)))
}

export function memorySource(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: async (at, length) => bytes.subarray(at, at + length) }
}

export async function* inParts(bytes: Uint8Array, part = 10_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += part) yield bytes.subarray(at, at + part)
}

export function aFlippedBit(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}

export const someFacts: ClusterFacts = {
  cluster: 'dev',
  clusterId: '1234567890abcdef',
  talosVersion: 'v1.13.9',
  kubernetesVersion: 'v1.36.3',
  etcdVersion: '3.6.8',
  members: [{ id: '00000000000000a1', hostname: 'dev-cp-1', peer_urls: ['https://10.0.10.11:2380'] }],
}

export async function someSecrets(): Promise<SecretsFile> {
  return { bundle: await generateBundle('v1.13'), memory: emptyMemory }
}
