import fc from 'fast-check'
import { stringify } from 'yaml'

/** Leaves that readers of configuration stumble over. */
const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    '0',
    '-1',
    '1e9',
    'null',
    'true',
    '10.0.0.0/8',
    '::1',
    '8G',
    'v1.13.9',
    '__proto__',
    'a,b=c',
  ),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
)

/** Any JSON, whose keys are mostly those that a reader looks for. */
export function anyJson(keys: readonly string[]): fc.Arbitrary<unknown> {
  const key = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...keys) },
    { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
  )
  return fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      { weight: 3, arbitrary: leaf },
      { weight: 1, arbitrary: fc.array(tie('node'), { maxLength: 3 }) },
      { weight: 3, arbitrary: fc.dictionary(key, tie('node'), { maxKeys: 5, noNullPrototype: true }) },
    ),
  })).node
}

export interface Damage {
  readonly at: number
  readonly value: unknown
  readonly how: 'replace' | 'delete' | 'repeat'
}

/** A few wounds for something that was whole. */
export function damages(keys: readonly string[]): fc.Arbitrary<Damage[]> {
  const damage = fc.record({
    at: fc.nat(),
    value: anyJson(keys),
    how: fc.constantFrom<Damage['how']>('replace', 'replace', 'delete', 'repeat'),
  })
  return fc.array(damage, { minLength: 1, maxLength: 4 })
}

/** A copy of a JSON value with those wounds at whichever of its places they hit. */
export function damaged(whole: unknown, wounds: readonly Damage[]): unknown {
  const copy = { root: structuredClone(whole) }
  for (const { at, value, how } of wounds) {
    const places = placesIn(copy)
    const place = places[at % places.length]
    if (place === undefined) continue
    const { holder, key } = place
    if (how === 'replace') holder[key] = structuredClone(value)
    else if (Array.isArray(holder))
      holder.splice(
        Number(key),
        how === 'delete' ? 1 : 0,
        ...(how === 'delete' ? [] : [structuredClone(holder[Number(key)])]),
      )
    else if (how === 'delete') delete holder[key]
  }
  return copy.root
}

interface Place {
  readonly holder: Record<string, unknown>
  readonly key: string
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])])
}

/** A text with characters taken out, put in, or moved about. */
export function damagedText(whole: string): fc.Arbitrary<string> {
  const wound = fc.tuple(
    fc.nat(),
    fc.nat(40),
    fc.oneof(
      fc.constantFrom('', '\n', ': ', '- ', '"', '{', '&a ', '*a', '\t', '\u0000', ','),
      fc.string({ maxLength: 6 }),
    ),
  )
  return fc.array(wound, { minLength: 1, maxLength: 5 }).map((wounds) =>
    wounds.reduce((text, [at, length, put]) => {
      const from = at % (text.length + 1)
      return text.slice(0, from) + put + text.slice(from + (at % 3 === 0 ? length : 0))
    }, whole),
  )
}

/** As a file; no value at all is an empty file. */
export function yamlOf(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false }) ?? ''
}
