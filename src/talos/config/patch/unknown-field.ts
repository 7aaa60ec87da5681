import { type ConfigObject, type ConfigValue, isConfigList, isConfigObject } from '../config-value.js'
import type { Schema } from './schema.js'
import { documentShape, type Shape } from './shape.js'

/** The path of the first field that is unknown in such a document; `undefined` if all are known. */
export function findUnknownField(document: ConfigObject, kind: string, schema: Schema): string | undefined {
  const type = schema.kinds.get(kind)?.type
  if (type === undefined || schema.isOpen) return undefined
  return search(document, documentShape(type), '', schema)
}

function search(value: ConfigValue, shape: Shape, path: string, schema: Schema): string | undefined {
  if (isConfigObject(value)) return searchObject(value, shape, path, schema)
  if (!isConfigList(value) || (shape.is !== 'list' && shape.is !== 'keyed')) return undefined
  for (const [index, item] of value.entries()) {
    const found = search(item, shape.of, `${path}[${index}]`, schema)
    if (found !== undefined) return found
  }
  return undefined
}

function searchObject(value: ConfigObject, shape: Shape, path: string, schema: Schema): string | undefined {
  if (shape.is !== 'fields' && shape.is !== 'map') return undefined
  for (const [key, inner] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`
    const innerShape = shape.is === 'map' ? shape.of : schema.types.get(shape.type)?.get(key)
    if (innerShape === undefined) return at
    const found = search(inner, innerShape, at, schema)
    if (found !== undefined) return found
  }
  return undefined
}
