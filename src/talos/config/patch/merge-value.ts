import { type ConfigObject, type ConfigValue, isConfigList, isConfigObject } from '../config-value.js'
import { findKeyed } from './keyed-list.js'
import type { Schema } from './schema.js'
import type { Shape } from './shape.js'

/** Two values of free-form objects have different types. */
export class TypesDiffer extends Error {
  readonly path: string

  constructor(path: string) {
    super(`${path} has values of different types`)
    this.path = path
  }
}

/** The result of merging the patch's value, by the rules of Talos's library. */
export function mergeValue(
  left: ConfigValue | undefined,
  right: ConfigValue,
  shape: Shape,
  schema: Schema,
): ConfigValue {
  if (right === null) return left ?? null
  if (left === undefined || left === null) return right
  switch (shape.is) {
    case 'text':
    case 'number':
    case 'choice':
      return isZero(right, shape) ? left : right
    case 'always':
    case 'flag':
      return right
    case 'free':
      return shape.replaced ? right : mergeFree(left, right, '')
    case 'args':
      return isConfigObject(left) && isConfigObject(right) ? { ...left, ...right } : right
    case 'map':
      return mergeObjects(left, right, () => shape.of, schema)
    case 'fields':
      return shape.replaced ? right : mergeObjects(left, right, (key) => fieldShape(shape.type, key, schema), schema)
    case 'list':
      return shape.replaced ? right : [...listOf(left), ...listOf(right)]
    case 'keyed':
      return mergeKeyed(listOf(left), listOf(right), shape, schema)
  }
}

function fieldShape(type: string, key: string, schema: Schema): Shape {
  return schema.types.get(type)?.get(key) ?? { is: 'free', replaced: false }
}

function isZero(value: ConfigValue, shape: Shape): boolean {
  if (shape.is === 'text') return value === ''
  if (shape.is === 'choice') return value === shape.zero
  return value === 0 || value === '0' || value === '0s'
}

function mergeObjects(
  left: ConfigValue,
  right: ConfigValue,
  shapeOf: (key: string) => Shape,
  schema: Schema,
): ConfigObject {
  const merged: Record<string, ConfigValue> = isConfigObject(left) ? { ...left } : {}
  if (!isConfigObject(right)) return merged
  for (const [key, value] of Object.entries(right)) {
    merged[key] = mergeValue(merged[key], value, shapeOf(key), schema)
  }
  return merged
}

function mergeKeyed(
  left: readonly ConfigValue[],
  right: readonly ConfigValue[],
  shape: Shape & { is: 'keyed' },
  schema: Schema,
): readonly ConfigValue[] {
  const merged = [...left]
  for (const value of right) {
    const index = findKeyed(shape.by, merged, value)
    if (index < 0) merged.push(value)
    else merged[index] = mergeValue(merged[index], value, shape.of, schema)
  }
  return merged
}

/** Free-form objects: maps merge, lists grow, and a value never changes its type. */
function mergeFree(left: ConfigValue, right: ConfigValue, path: string): ConfigValue {
  if (left === null) return right
  if (typeOf(left) !== typeOf(right)) throw new TypesDiffer(path)
  if (isConfigList(left) && isConfigList(right)) return [...left, ...right]
  if (isConfigObject(left) && isConfigObject(right)) {
    const merged: Record<string, ConfigValue> = { ...left }
    for (const [key, value] of Object.entries(right)) {
      merged[key] =
        merged[key] === undefined ? value : mergeFree(merged[key], value, path === '' ? key : `${path}.${key}`)
    }
    return merged
  }
  return right === '' || right === 0 ? left : right
}

function typeOf(value: ConfigValue): string {
  return Array.isArray(value) ? 'list' : typeof value
}

function listOf(value: ConfigValue): readonly ConfigValue[] {
  return isConfigList(value) ? value : []
}
