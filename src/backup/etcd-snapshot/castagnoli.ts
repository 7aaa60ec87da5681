/** CRC-32C, eight bytes at a time: what `etcdutl snapshot status` shows as the hash of a snapshot. */
export function createCastagnoli() {
  let crc = 0xffffffff
  return {
    add: (bytes: Uint8Array) => {
      crc = update(crc, bytes)
    },
    /** Eight hex digits without leading zeros, as etcdutl prints it. */
    digest: () => ((crc ^ 0xffffffff) >>> 0).toString(16),
  }
}

const tables = makeTables()

function makeTables(): readonly Uint32Array[] {
  const first = Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
    return value
  })
  const all = [first]
  for (let table = 1; table < 8; table++) {
    const previous = all[table - 1] ?? first
    all.push(previous.map((value) => (first[value & 0xff] ?? 0) ^ (value >>> 8)))
  }
  return all
}

const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
]

function update(start: number, bytes: Uint8Array): number {
  const byte = (table: Uint32Array, index: number): number => table[index & 0xff] as number
  let crc = start
  let at = 0
  for (const end = bytes.length - 7; at < end; at += 8) {
    const low =
      crc ^
      ((bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24))
    crc =
      byte(t7, low) ^
      byte(t6, low >>> 8) ^
      byte(t5, low >>> 16) ^
      byte(t4, low >>> 24) ^
      byte(t3, bytes[at + 4] as number) ^
      byte(t2, bytes[at + 5] as number) ^
      byte(t1, bytes[at + 6] as number) ^
      byte(t0, bytes[at + 7] as number)
  }
  for (; at < bytes.length; at++) crc = byte(t0, crc ^ (bytes[at] as number)) ^ (crc >>> 8)
  return crc
}
