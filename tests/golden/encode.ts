/** Values that JSON has no word for, as objects with one key that begins with `$`. */
type Tagged = Readonly<Record<string, unknown>>

/** A plain value as JSON. Refuses what is no data, such as a function, and says where it stands. */
export function encode(value: unknown, path = ''): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (value === undefined) return { $undefined: true }
  if (typeof value === 'number') return Number.isFinite(value) ? value : { $number: String(value) }
  if (typeof value === 'bigint') return { $bigint: String(value) }
  if (typeof value !== 'object') throw new Error(`${path} is a ${typeof value}, which is no data`)
  if (Array.isArray(value)) return value.map((one, index) => encode(one, `${path}[${index}]`))
  return encodeObject(value, path)
}

function encodeObject(value: object, path: string): unknown {
  if (value instanceof Date) return { $date: value.toISOString() }
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') }
  if (value instanceof Map) return { $map: encode([...value], path) }
  if (value instanceof Set) return { $set: encode([...value], path) }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new Error(`${path} is no plain object`)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, encode(one, `${path}.${key}`)]))
}

/** The value that was encoded. */
export function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(decode)
  const entries = Object.entries(value)
  const [first] = entries
  if (entries.length === 1 && first?.[0].startsWith('$')) return decodeTagged(value as Tagged)
  return Object.fromEntries(entries.map(([key, one]) => [key, decode(one)]))
}

function decodeTagged(value: Tagged): unknown {
  if ('$undefined' in value) return undefined
  if ('$number' in value) return Number(value.$number)
  if ('$bigint' in value) return BigInt(String(value.$bigint))
  if ('$date' in value) return new Date(String(value.$date))
  if ('$bytes' in value) return new Uint8Array(Buffer.from(String(value.$bytes), 'base64'))
  if ('$map' in value) return new Map(decode(value.$map) as [unknown, unknown][])
  if ('$set' in value) return new Set(decode(value.$set) as unknown[])
  throw new Error(`there is no tag ${Object.keys(value).join()}`)
}
