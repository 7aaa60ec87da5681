import { createHmac, hkdfSync } from 'node:crypto'
import { canonicalJson } from '../cluster/canonical.js'
import {
  isRotationPhase,
  isRotationTarget,
  type RotatedKey,
  type RotatedKeys,
  type RotationTarget,
} from '../cluster/rotation.js'
import type { World } from '../world.js'

type SecretsFile = NonNullable<Awaited<ReturnType<World['secrets']['find']>>>

/** Which keys the cluster has, without revealing them: kept in the marks of its control planes. */
export interface KeyRecord {
  /** Of all keys, the second one of a rotation included. */
  readonly fingerprint: string
  readonly rotated: RotatedKeys
}

/** The record of the keys in these secrets. Neither `cluster.id` nor `cluster.secret` is ever rotated. */
export function keyRecordOf({ bundle: { accepted: _derived, ...bundle }, memory }: SecretsFile): KeyRecord {
  const key = Buffer.from(hkdfSync('sha256', bundle.cluster.secret, bundle.cluster.id, 'ichor keys v1', 32))
  const keys = canonicalJson([bundle, memory.rotation?.other ?? null])
  const fingerprint = createHmac('sha256', key).update(keys).digest('hex').slice(0, 16)
  return { fingerprint, rotated: memory.rotated ?? {} }
}

/** One line: `3f2a… talos-ca=4,done,2026-01-31T12:00:00.000Z,ada@desk`. */
export function formatKeyRecord({ fingerprint, rotated }: KeyRecord): string {
  const keys = Object.entries(rotated).map(
    ([what, { generation, phase, at, by }]) => `${what}=${generation},${phase},${at},${oneWord(by)}`,
  )
  return [fingerprint, ...keys].join(' ')
}

/** `undefined` if there is none, or a newer ichor wrote it. */
export function parseKeyRecord(text: string | undefined): KeyRecord | undefined {
  const [fingerprint = '', ...keys] = (text ?? '').split(' ')
  const rotated = keys.map(parseKey)
  if (!/^[0-9a-f]{16}$/.test(fingerprint) || rotated.includes(undefined)) return undefined
  return { fingerprint, rotated: Object.fromEntries(rotated.filter((key) => key !== undefined)) }
}

function parseKey(text: string): [RotationTarget, RotatedKey] | undefined {
  const [what = '', rest = ''] = text.split('=')
  const [generation = '', phase = '', at = '', by = ''] = rest.split(',')
  if (!isRotationTarget(what) || !/^\d+$/.test(generation) || !isRotationPhase(phase)) return undefined
  return [what, { generation: Number(generation), phase, at, by }]
}

function oneWord(by: string): string {
  return by.replace(/[^\w.@+-]/g, '_')
}
