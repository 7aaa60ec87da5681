const polynomial = 0x82f63b78

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1
  return value
})

/** The CRC with Castagnoli's polynomial over pieces that follow each other. */
export function crc32c(pieces: Iterable<Uint8Array>): number {
  let sum = 0xffffffff
  for (const piece of pieces) for (const byte of piece) sum = (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}
