import { type ConfigObject, type ConfigValue, isConfigList, isConfigObject } from '../config-value.js'
import type { Deletion } from './deletes.js'
import type { PatchText } from './patch-text.js'
import type { Schema } from './schema.js'
import { documentShape, type Shape } from './shape.js'

/** The document without what the deletion names; refuses if part of the path does not exist. */
export function applyDeletion(
  document: ConfigObject,
  deletion: Deletion,
  type: string,
  text: PatchText,
  schema: Schema,
): ConfigObject {
  const left = without(document, deletion.path, documentShape(type), deletion, text, schema)
  return isConfigObject(left) ? left : document
}

function without(
  value: ConfigValue | undefined,
  path: readonly string[],
  shape: Shape,
  deletion: Deletion,
  text: PatchText,
  schema: Schema,
): ConfigValue | undefined {
  const [key, ...rest] = path
  if (key === undefined) return deletion.element === undefined ? undefined : withoutElement(value, deletion, text)
  const inner = innerShape(shape, key, schema)
  if (inner === undefined) throw missing(deletion, text)
  const holder = isConfigObject(value) ? value : {}
  if (!isConfigObject(value) && !isAlwaysThere(shape)) throw missing(deletion, text)
  if (!(key in holder) && isKeyOfMap(shape)) throw missing(deletion, text)
  const left = without(holder[key], rest, inner, deletion, text, schema)
  return replaceKey(holder, key, left)
}

function replaceKey(holder: ConfigObject, key: string, value: ConfigValue | undefined): ConfigObject {
  const { [key]: _, ...others } = holder
  if (value === undefined) return others
  return key in holder ? { ...holder, [key]: value } : holder
}

function innerShape(shape: Shape, key: string, schema: Schema): Shape | undefined {
  if (shape.is === 'fields') return schema.types.get(shape.type)?.get(key)
  if (shape.is === 'map') return shape.of
  return shape.is === 'free' || shape.is === 'args' ? { is: 'free', replaced: false } : undefined
}

function isAlwaysThere(shape: Shape): boolean {
  return shape.is === 'fields' && shape.alwaysThere
}

/** A field of a structure can be absent and still be deleted; a key of a map cannot. */
function isKeyOfMap(shape: Shape): boolean {
  return shape.is !== 'fields'
}

function withoutElement(value: ConfigValue | undefined, deletion: Deletion, text: PatchText): ConfigValue {
  const { element } = deletion
  const list = isConfigList(value) ? value : []
  const index = list.findIndex(
    (one) => isConfigObject(one) && element !== undefined && one[element.key] === element.value,
  )
  if (index < 0) throw missing(deletion, text)
  return list.filter((_, position) => position !== index)
}

function missing({ path, element, node }: Deletion, text: PatchText) {
  const what =
    element === undefined ? path.join('.') : `the element of ${path.join('.')} with ${element.key}: ${element.value}`
  return text.refuse(
    `The patch deletes ${what}, which is not in the config.`,
    'Remove this deletion, or correct its path.',
    node,
  )
}
