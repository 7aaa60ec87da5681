import { inventoryJsonSchema } from '../../src/inventory/json-schema.js'

/** A key of the inventory that holds a value, not further keys. */
export interface Leaf {
  /** `worker_pools[].labels.*`: `[]` is any entry of a list, `*` any name. */
  readonly path: string
  readonly schemas: readonly Shape[]
}

export interface Shape {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
  readonly additionalProperties?: Shape | boolean
  readonly $ref?: string
}

/** Every key of the schema that validates inventories, each once. */
export function schemaLeaves(): Leaf[] {
  const schema = inventoryJsonSchema()
  const definitions = (schema.definitions ?? {}) as Readonly<Record<string, Shape>>
  const found = new Map<string, Shape[]>()
  const walk = (shape: Shape, path: string): void => {
    const parts = [shape, ...(shape.anyOf ?? []), ...(shape.allOf ?? [])].map((part) => resolved(part, definitions))
    for (const part of parts.slice(1)) walk(part, path)
    const [own = {}] = parts
    const { properties, items, additionalProperties: others } = own
    for (const [key, inner] of Object.entries(properties ?? {})) walk(inner, path === '' ? key : `${path}.${key}`)
    if (items !== undefined) walk(items, `${path}[]`)
    const isRecord = typeof others === 'object'
    if (isRecord) walk(others, `${path}.*`)
    const isValue = own.type !== undefined && own.type !== 'object' && own.type !== 'array'
    const isAnything = own.type === 'object' && properties === undefined && !isRecord
    const isFree = Object.keys(own).every((key) => key === 'description' || key === 'default')
    if (isValue || isAnything || isFree || own.enum !== undefined || own.const !== undefined)
      found.set(path, [...(found.get(path) ?? []), own])
  }
  walk(schema as Shape, '')
  return [...found].map(([path, schemas]) => ({ path, schemas }))
}

function resolved(shape: Shape, definitions: Readonly<Record<string, Shape>>): Shape {
  if (shape.$ref === undefined) return shape
  return definitions[shape.$ref.split('/').at(-1) ?? ''] ?? {}
}
