/** The key of an entry in etcd's `key` bucket: the revision of a change, and whether it was a deletion. */
export interface Revision {
  readonly main: number
  readonly isTombstone: boolean
}

const plainLength = 17
const tombstoneLength = 18

/** Eight bytes, `_`, eight bytes, and a `t` for a deletion. `undefined` for anything else. */
export function findRevision(key: Buffer): Revision | undefined {
  if ((key.length !== plainLength && key.length !== tombstoneLength) || key[8] !== 0x5f) return undefined
  return {
    main: Number(key.readBigUInt64BE(0)),
    isTombstone: key.length === tombstoneLength && key[17] === 0x74,
  }
}

/** The user's key in a serialised `mvccpb.KeyValue`; `undefined` if it is not one. */
export function findKey(value: Buffer): Buffer | undefined {
  let at = 0
  while (at < value.length) {
    const tag = readVarint(value, at)
    const wire = tag.value & 7
    const isKey = tag.value >>> 3 === 1
    if (wire === 0 && !isKey) at = readVarint(value, tag.end).end
    else if (wire === 2) {
      const length = readVarint(value, tag.end)
      const end = length.end + length.value
      if (end > value.length) return undefined
      if (isKey) return value.subarray(length.end, end)
      at = end
    } else return undefined
  }
  return undefined
}

function readVarint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0
  let factor = 1
  for (let at = start; at < bytes.length && at < start + 10; at++) {
    const byte = bytes[at] as number
    value += (byte & 0x7f) * factor
    if (byte < 0x80) return { value, end: at + 1 }
    factor *= 128
  }
  return { value: Number.POSITIVE_INFINITY, end: bytes.length + 1 }
}
