import { createHash } from 'node:crypto'

/** Smaller ones are written out where they stand. */
const smallestText = 1000
const smallestPart = 500

/** What several cases have in common, by the hash of its content. */
export type Parts = Map<string, unknown>

/** The values that occur more than once: texts, and objects of some size. */
export function repeatedIn(values: readonly unknown[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  const count = (value: unknown) => {
    const name = partName(value)
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
    // What a repeated value holds is repeated only with it.
    if (name !== undefined && (counts.get(name) ?? 0) > 1) return
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(count)
  }
  values.forEach(count)
  return new Set([...counts].flatMap(([name, times]) => (times > 1 ? [name] : [])))
}

/** The value with references in place of its long texts and of what is shared. */
export function withoutParts(value: unknown, isShared: (name: string) => boolean, parts: Parts): unknown {
  const name = partName(value)
  if (name !== undefined && (isShared(name) || typeof value === 'string')) {
    if (!parts.has(name)) parts.set(name, typeof value === 'string' ? value : inside(value, isShared, parts))
    return { $part: name }
  }
  if (typeof value === 'string' && value.includes('\n')) return { $lines: value.split('\n') }
  return inside(value, isShared, parts)
}

function inside(value: unknown, isShared: (name: string) => boolean, parts: Parts): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withoutParts(one, isShared, parts))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutParts(one, isShared, parts)]))
}

/** The whole value again. */
export function withParts(value: unknown, find: (name: string) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withParts(one, find))
  if ('$part' in value) return withParts(find(String(value.$part)), find)
  if ('$lines' in value && Array.isArray(value.$lines)) return value.$lines.join('\n')
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withParts(one, find)]))
}

function partName(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length < (typeof value === 'string' ? smallestText : smallestPart)) return undefined
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
