/** The parts of ASN.1's DER that certificates are made of. */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

export const sequence = (...parts: readonly Uint8Array[]): Buffer => element(tags.sequence, ...parts)

/** The members of a set are sorted by their bytes. */
export const setOf = (...members: readonly Uint8Array[]): Buffer =>
  element(tags.set, ...members.toSorted((one, other) => Buffer.compare(one, other)))

export const isTrue = (): Buffer => element(tags.boolean, Buffer.of(0xff))
export const nothing = (): Buffer => element(tags.null)
export const octetString = (bytes: Uint8Array): Buffer => element(tags.octetString, bytes)

/** A whole number that is not negative, as big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0
  return element(tags.integer, ...(isNegative ? [Buffer.of(0)] : []), bytes)
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return element(tags.bitString, Buffer.of(unusedBits), bytes)
}

/** An element with the number of its place in a sequence: `[0]`. */
export const numbered = (number: number, ...parts: readonly Uint8Array[]): Buffer => element(0xa0 | number, ...parts)

/** The same in place of the tag of a plain value. */
export const implicit = (number: number, bytes: Uint8Array): Buffer => element(0x80 | number, bytes)

/** Printable if it can be, like Go's. */
export function text(value: string): Buffer {
  const isPrintable = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value)
  return element(isPrintable ? tags.printableString : tags.utf8String, Buffer.from(value))
}

/** Two digits for the year until 2049, four from then on. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return date.getUTCFullYear() < 2050
    ? element(tags.utcTime, Buffer.from(digits.slice(2)))
    : element(tags.generalizedTime, Buffer.from(digits))
}

/** From its written form: `2.5.29.15`. */
export function oid(written: string): Buffer {
  const [first = 0, second = 0, ...rest] = written.split('.').map(Number)
  return element(tags.oid, Buffer.from([40 * first + second, ...rest].flatMap(base128)))
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), lengthOf(body.length), body])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes])
}

/** An element that was read: `whole` includes its tag and length. */
export interface Element {
  readonly tag: number
  readonly whole: Buffer
  readonly body: Buffer
}

/** The elements that follow each other in these bytes. */
export function elementsIn(bytes: Buffer): Element[] {
  const found: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const one = elementAt(bytes, at)
    found.push(one)
    at += one.whole.length
  }
  return found
}

function elementAt(bytes: Buffer, at: number): Element {
  const first = bytes[at + 1] ?? 0
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes)
  const start = at + 2 + lengthBytes
  if (start + length > bytes.length) throw new Error('an element is longer than what contains it')
  return { tag: bytes[at] ?? 0, whole: bytes.subarray(at, start + length), body: bytes.subarray(start, start + length) }
}
