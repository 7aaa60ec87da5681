/** One DER element: tag, length, content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body])
}

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
export const set = (...parts: readonly Uint8Array[]) => der(0x31, ...parts)
export const octets = (content: Uint8Array) => der(0x04, content)
export const bits = (content: Uint8Array, unused = 0) => der(0x03, Buffer.from([unused]), content)
export const boolean = (value: boolean) => der(0x01, Buffer.from([value ? 0xff : 0]))
export const utf8 = (text: string) => der(0x0c, Buffer.from(text))
export const explicit = (number: number, ...content: readonly Uint8Array[]) => der(0xa0 + number, ...content)
export const implicit = (number: number, content: Uint8Array) => der(0x80 + number, content)

/**
 * A positive integer, big-endian, in the fewest bytes: leading zeros are not allowed, except one before a set top bit.
 */
export function integer(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0)
  const least = start < 0 ? Buffer.from([0]) : bytes.subarray(start)
  const needsSign = ((least[0] ?? 0) & 0x80) !== 0
  return needsSign ? der(0x02, Buffer.from([0]), least) : der(0x02, least)
}

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** UTCTime up to 2049, GeneralizedTime after it. */
export function time(date: Date): Buffer {
  const text = `${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text))
}

/** The elements inside a constructed element, each with its header. */
export function childrenOf(element: Uint8Array): Buffer[] {
  const bytes = Buffer.from(element.buffer, element.byteOffset, element.byteLength)
  const outer = headOf(bytes, 0)
  const children: Buffer[] = []
  for (let at = outer.start; at < outer.end; ) {
    const { end } = headOf(bytes, at)
    children.push(bytes.subarray(at, end))
    at = end
  }
  return children
}

/** The content of an element, without its header. */
export function contentOf(element: Uint8Array): Buffer {
  const bytes = Buffer.from(element.buffer, element.byteOffset, element.byteLength)
  const { start, end } = headOf(bytes, 0)
  return bytes.subarray(start, end)
}

function headOf(bytes: Buffer, at: number): { start: number; end: number } {
  const first = bytes[at + 1] ?? 0
  if (first < 0x80) return { start: at + 2, end: at + 2 + first }
  const count = first & 0x7f
  const length = bytes.readUIntBE(at + 2, count)
  return { start: at + 2 + count, end: at + 2 + count + length }
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.from([0x80 + bytes.length, ...bytes])
}

function base128(value: number): number[] {
  const groups = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) groups.unshift((rest % 128) + 128)
  return groups
}
