import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { EtcdContent, EtcdRecord } from '../../kubernetes/seam.js'
import type { Buckets, Entry } from './bbolt-writer.js'

/** What etcd's database stores about the cluster besides its keys. */
export interface EtcdFacts {
  readonly index: number
  readonly term: number
  /** `3.6.0`. */
  readonly version: string
  readonly storageVersion: string | undefined
  readonly members: readonly {
    readonly id: string
    readonly name: string
    readonly peerUrls: readonly string[]
    readonly clientUrls: readonly string[]
    readonly isLearner: boolean
  }[]
}

/** The buckets of an etcd 3.6 database with this content and without history. */
export function etcdBuckets(content: EtcdContent, facts: EtcdFacts): Buckets {
  const members = facts.members.map(
    ({ id, name, peerUrls, clientUrls, isLearner }) =>
      [
        text(BigInt(`0x${id}`).toString(16)),
        // Numbers beyond 2^53 do not survive JSON.stringify.
        text(
          JSON.stringify({ id: 0, peerURLs: peerUrls, isLearner, name, clientURLs: clientUrls }).replace(
            '"id":0',
            `"id":${BigInt(`0x${id}`)}`,
          ),
        ),
      ] as const,
  )
  return new Map<string, readonly Entry[]>([
    ['alarm', []],
    ['auth', []],
    ['authRoles', []],
    ['authUsers', []],
    ['cluster', [[text('clusterVersion'), text(facts.version)]]],
    ['key', content.records.map((record) => [revisionKey(record.modRevision), keyValue(record)] as const)],
    ['lease', []],
    ['members', members],
    ['members_removed', []],
    ['meta', metaEntries(content, facts)],
  ])
}

/** The newest value of every key that was not deleted; `undefined` without a key bucket. */
export function contentOf(buckets: Buckets): EtcdContent | undefined {
  const keys = buckets.get('key')
  if (keys === undefined) return undefined
  const live = new Map<string, EtcdRecord>()
  let revision = 1
  for (const [key, value] of keys) {
    const record = readKeyValue(value)
    revision = Math.max(revision, Number(Buffer.from(key).readBigUInt64BE(0)))
    if (isTombstone(key)) live.delete(record.key)
    else live.set(record.key, record)
  }
  return { revision, records: [...live.values()] }
}

function metaEntries({ revision }: EtcdContent, { index, term, storageVersion, members }: EtcdFacts): Entry[] {
  const numbers = members.map(({ id, isLearner }) => ({ id: BigInt(`0x${id}`).toString(), isLearner }))
  const list = (areLearners: boolean) =>
    `[${numbers
      .filter(({ isLearner }) => isLearner === areLearners)
      .map(({ id }) => id)
      .join()}]`
  const confState = `{"voters":${list(false)},"learners":${list(true)},"auto_leave":false}`
  return [
    [text('confState'), text(confState)],
    [text('consistent_index'), bigEndian(index)],
    [text('finishedCompactRev'), revisionKey(revision)],
    [text('scheduledCompactRev'), revisionKey(revision)],
    ...(storageVersion === undefined ? [] : [[text('storageVersion'), text(storageVersion)] as const]),
    [text('term'), bigEndian(term)],
  ]
}

/** Eight bytes of revision, an underscore, eight bytes of the operation within it; a deletion ends with `t`. */
function revisionKey(revision: number): Buffer {
  return Buffer.concat([bigEndian(revision), text('_'), bigEndian(0)])
}

function isTombstone(key: Uint8Array): boolean {
  return key.length === 18
}

/** `mvccpb.KeyValue`. */
function keyValue({ key, value, createRevision, modRevision, version }: EtcdRecord): Uint8Array {
  const writer = new BinaryWriter()
  writer.tag(1, WireType.LengthDelimited).string(key)
  writer.tag(2, WireType.Varint).int64(createRevision)
  writer.tag(3, WireType.Varint).int64(modRevision)
  writer.tag(4, WireType.Varint).int64(version)
  writer.tag(5, WireType.LengthDelimited).string(value)
  return writer.finish()
}

function readKeyValue(bytes: Uint8Array): EtcdRecord {
  const reader = new BinaryReader(bytes)
  const record = { key: '', value: '', createRevision: 0, modRevision: 0, version: 0 }
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag()
    if (field === 1) record.key = reader.string()
    else if (field === 2) record.createRevision = Number(reader.int64())
    else if (field === 3) record.modRevision = Number(reader.int64())
    else if (field === 4) record.version = Number(reader.int64())
    else if (field === 5) record.value = Buffer.from(reader.bytes()).toString()
    else reader.skip(wireType)
  }
  return record
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

function text(value: string): Buffer {
  return Buffer.from(value)
}
