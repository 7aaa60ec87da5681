/**
 * The keys that a document may have, in compact form: `name` is a value of any kind, `name:text` one of a scalar type
 * (see `value-types.ts`), `name:{…}` a mapping with exactly those keys, `name:[…]` a list, `name:<…>` a mapping with
 * free names, `name:*` anything.
 */
export type KeyShape =
  | { readonly kind: 'any' }
  | { readonly kind: 'scalar'; readonly type: string }
  | { readonly kind: 'mapping'; readonly keys: ReadonlyMap<string, KeyShape> }
  | { readonly kind: 'list' | 'named'; readonly item: KeyShape }

const any: KeyShape = { kind: 'any' }

export function parseKeyShape(text: string): KeyShape {
  const tokens = text.match(/[{}[\]<>*:]|[^\s{}[\]<>*:]+/g) ?? []
  let at = 0
  const keysUntil = (end: string | undefined) => {
    const keys = new Map<string, KeyShape>()
    while (at < tokens.length && tokens[at] !== end) {
      const name = tokens[at++] ?? ''
      const hasShape = tokens[at] === ':'
      if (hasShape) at++
      keys.set(name, hasShape ? shape() : any)
    }
    at++
    return keys
  }
  const around = (kind: 'list' | 'named'): KeyShape => {
    const item = shape()
    at++
    return { kind, item }
  }
  const shape = (): KeyShape => {
    const token = tokens[at++]
    if (token === '{') return { kind: 'mapping', keys: keysUntil('}') }
    if (token === '[') return around('list')
    if (token === '<') return around('named')
    return token === undefined || token === '*' ? any : { kind: 'scalar', type: token }
  }
  return { kind: 'mapping', keys: keysUntil(undefined) }
}

/** Paths of unknown keys, in document order. */
export function unknownKeys(value: unknown, shape: KeyShape, path = ''): string[] {
  if (value === null || typeof value !== 'object') return []
  if (shape.kind === 'list' && Array.isArray(value))
    return value.flatMap((item, n) => unknownKeys(item, shape.item, `${path}[${n}]`))
  if (Array.isArray(value)) return []
  if (shape.kind === 'named')
    return Object.entries(value).flatMap(([name, item]) => unknownKeys(item, shape.item, joined(path, name)))
  if (shape.kind !== 'mapping') return []
  return Object.entries(value).flatMap(([name, item]) => {
    const known = shape.keys.get(name)
    return known === undefined ? [joined(path, name)] : unknownKeys(item, known, joined(path, name))
  })
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
