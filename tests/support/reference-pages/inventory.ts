import { inventoryJsonSchema } from '../../../src/inventory/json-schema.js'

interface Shape {
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly additionalProperties?: Shape | boolean
  readonly anyOf?: readonly Shape[]
}

const introduction = `# The inventory

An inventory is a folder with a \`cluster.yaml\` in it, under version control: what you want, and nothing else. Beside it
may stand a \`nodes.yaml\` (the keys \`controlplane\` and \`workers\`), config patches, and the encrypted secrets that ichor
makes. A folder of such folders is a set of environments; \`-i\` takes either, several times.

- Sizes: bare \`ram\` is MiB, bare \`disk\` is GiB; \`G\`, \`GB\` and \`GiB\` all mean GiB.
- Secrets stand as references: \`env:NAME\`, \`file:PATH\`, or \`secret:NAME\` from the secrets file. A plain one works, with a warning. Addons, webhooks and \`watch.token\` get [secrets of their own](secrets.md#secrets-of-addons-and-watch) only.
- \`ichor validate\` reports all problems with file, line and column. \`ichor schema\` prints a JSON Schema for editors.
- The folders in [examples](../examples) are complete inventories to start from.

This page is made from the definition that validates inventories.
`

/** The reference page in \`docs/\`: every key, its type, its default, and what it is for. */
export function referencePage(): string {
  const root = inventoryJsonSchema() as Shape
  const groups = Object.entries(root.properties ?? {})
  const shown = new Map<string, string>()
  const isGroup = ([, shape]: [string, Shape]) => mappingOf(shape) !== undefined
  const plain = groups.filter((entry) => !isGroup(entry))
  const sections = groups.filter(isGroup).map(([key, shape]) => section(key, shape, shown))
  const cluster = `## The cluster\n\n${table(plain, root.required ?? [])}`
  return `${[introduction, cluster, ...sections].join('\n')}`
}

function section(key: string, shape: Shape, shown: Map<string, string>): string {
  const heading = `## ${titleOf(key, shape)}\n\n${shape.description ?? ''}\n`
  return [heading, ...tables(mappingOf(shape) ?? {}, [bareTitle(key, shape)], shown)].join('\n')
}

function titleOf(key: string, shape: Shape): string {
  return `\`${bareTitle(key, shape)}\``
}

function bareTitle(key: string, shape: Shape): string {
  if (shape.items !== undefined) return `${key}[]`
  return isKeyed(shape) ? `${key}.NAME` : key
}

/** A table of the mapping, then one of each mapping inside of it; one that was shown before is only referred to. */
function tables(mapping: Shape, path: readonly string[], shown: Map<string, string>): string[] {
  const name = path.join('.')
  const rows = Object.entries(mapping.properties ?? {})
  const text = table(rows, mapping.required ?? [])
  const before = shown.get(text)
  if (before !== undefined) return [`The keys are those of \`${before}\`.\n`]
  shown.set(text, name)
  const inner = rows.flatMap(([key, shape]) => {
    const found = mappingOf(shape)
    const place = [...path, bareTitle(key, shape)]
    if (found === undefined) return []
    return [`### \`${place.join('.')}\`\n\n${shape.description ?? ''}\n`, ...tables(found, place, shown)]
  })
  return [text, ...inner]
}

function table(rows: readonly [string, Shape][], required: readonly string[]): string {
  const lines = rows.map(([key, shape]) => {
    const cells = [
      `\`${key}\``,
      typeOf(shape),
      required.includes(key) ? '**required**' : defaultOf(shape),
      describe(shape),
    ]
    return `| ${cells.join(' | ')} |`
  })
  return ['| key | type | default | |', '| --- | --- | --- | --- |', ...lines, ''].join('\n')
}

/** The mapping behind a key: itself, one of its alternatives, or what a list or a map by name holds. */
function mappingOf(shape: Shape): Shape | undefined {
  if (shape.properties !== undefined) return shape
  const inner = [...(shape.anyOf ?? []), ...(shape.items === undefined ? [] : [shape.items])]
  if (isKeyed(shape) && typeof shape.additionalProperties === 'object') inner.push(shape.additionalProperties)
  return inner.map(mappingOf).find((found) => found !== undefined)
}

function isKeyed({ additionalProperties }: Shape): boolean {
  return typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
}

const words: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: '`true` or `false`',
  array: 'list',
  object: 'mapping',
}

function typeOf(shape: Shape): string {
  if (shape.enum !== undefined) return shape.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (shape.anyOf !== undefined) return [...new Set(shape.anyOf.map(typeOf))].join(' or ')
  if (shape.items !== undefined) return `list of ${typeOf(shape.items)}`
  const types = [shape.type ?? []].flat()
  return types.length === 0 ? 'anything' : types.map((type) => words[type] ?? type).join(' or ') + rangeOf(shape)
}

function rangeOf({ minimum, maximum }: Shape): string {
  if (minimum === undefined || minimum === Number.MIN_SAFE_INTEGER) return ''
  return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? ` from ${minimum}` : ` ${minimum} to ${maximum}`
}

function defaultOf({ default: value }: Shape): string {
  if (value === undefined || isEmpty(value)) return ''
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function describe({ description = '', default: value, examples, items }: Shape): string {
  const [example] = examples ?? items?.examples ?? []
  const hint =
    example === undefined || (value !== undefined && !isEmpty(value)) ? '' : ` Example: \`${String(example)}\`.`
  return `${description}${hint}`.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
