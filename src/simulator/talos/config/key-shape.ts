/**
 * Which keys a document may have, written compactly: `name` is a value of any kind, `name:{…}` a mapping with exactly
 * those keys, `name:[{…}]` a list of such mappings, `name:<{…}>` a mapping from free names to them, `name:*` anything.
 */
export type KeyShape =
  | '*'
  | { readonly kind: 'mapping' | 'list' | 'named'; readonly keys: ReadonlyMap<string, KeyShape> }

export function parseKeyShape(text: string): KeyShape {
  const tokens = text.match(/[{}[\]<>*:]|[^\s{}[\]<>*:]+/g) ?? []
  let at = 0
  const keysUntil = (end: string | undefined) => {
    const keys = new Map<string, KeyShape>()
    while (at < tokens.length && tokens[at] !== end) {
      const name = tokens[at++] ?? ''
      const hasShape = tokens[at] === ':'
      if (hasShape) at++
      keys.set(name, hasShape ? shape() : '*')
    }
    at++
    return keys
  }
  const shape = (): KeyShape => {
    const token = tokens[at++]
    if (token === '{') return { kind: 'mapping', keys: keysUntil('}') }
    if (token !== '[' && token !== '<') return '*'
    at++
    const keys = keysUntil('}')
    at++
    return { kind: token === '[' ? 'list' : 'named', keys }
  }
  return { kind: 'mapping', keys: keysUntil(undefined) }
}

/** Paths of keys that the shape does not know, in document order. */
export function unknownKeys(value: unknown, shape: KeyShape, path = ''): string[] {
  if (shape === '*' || value === null || typeof value !== 'object') return []
  if (shape.kind === 'list') return itemsOf(value).flatMap((item, i) => inMapping(item, shape.keys, `${path}[${i}]`))
  if (shape.kind === 'named') {
    return Object.entries(value).flatMap(([name, item]) => inMapping(item, shape.keys, joined(path, name)))
  }
  return inMapping(value, shape.keys, path)
}

function inMapping(value: unknown, keys: ReadonlyMap<string, KeyShape>, path: string): string[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, item]) => {
    const shape = keys.get(name)
    return shape === undefined ? [joined(path, name)] : unknownKeys(item, shape, joined(path, name))
  })
}

function itemsOf(value: object): unknown[] {
  return Array.isArray(value) ? value : []
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
