import { parse, stringify } from 'yaml'

/** One config with one thing changed. */
export interface Change {
  /** `machine.install.disk: a list of texts`. */
  readonly title: string
  readonly text: string
}

type Path = readonly (string | number)[]

/** Values that are wrong in most places, each for another reason. */
const wrongValues: Readonly<Record<string, unknown>> = {
  'a mapping': { odd: 1 },
  'a list of mappings': [{ odd: 1 }],
  'a list of texts': ['odd'],
  'a text': 'odd text',
  'an empty text': '',
  'a negative number': -1,
  'a large number': 70_000_000_000,
  'a flag': true,
  nothing: null,
}

/** Every path of the first document, changed in every way; further documents stay as they are. */
export function changesOf(config: string): Change[] {
  const [first = '', ...others] = config.split(/^---$/m)
  const body: unknown = parse(first)
  const write = (changed: unknown) => [stringify(changed, { aliasDuplicateObjects: false }), ...others].join('---')
  return pathsIn(body).flatMap((path) => {
    const place = path.join('.')
    const isMapping = typeof at(body, path) === 'object' && !Array.isArray(at(body, path)) && at(body, path) !== null
    return [
      ...Object.entries(wrongValues).map(([name, value]) => ({
        title: `${place}: ${name}`,
        text: write(withValue(body, path, value)),
      })),
      { title: `${place}: removed`, text: write(withValue(body, path, undefined)) },
      ...(isMapping
        ? [{ title: `${place}: an unknown key`, text: write(withValue(body, [...path, 'unknownKey'], 'x')) }]
        : []),
    ]
  })
}

function at(body: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], body)
}

/** A copy with another value there; `undefined` takes the key or the item away. */
function withValue(body: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(body)
  const parent = at(copy, path.slice(0, -1)) as Record<string | number, unknown>
  const key = path.at(-1) ?? ''
  if (value !== undefined) parent[key] = value
  else if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
  return copy
}

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return []
  const entries = Array.isArray(value) ? value.map((item, n) => [n, item] as const) : Object.entries(value)
  return entries.flatMap(([key, item]) => [[...path, key], ...pathsIn(item, [...path, key])])
}
