import { isMap, isSeq, type Node, type YAMLMap } from 'yaml'
import { type ConfigObject, type ConfigValue, isConfigObject } from '../config-value.js'
import { applyOperation, type Operation, OperationFails } from './json-operation.js'
import { nodeValue, type Reading } from './node-value.js'
import type { PatchText } from './patch-text.js'
import type { Schema } from './schema.js'
import { findUnknownField } from './unknown-field.js'

/** Applies a list of JSON operations (RFC 6902), which Talos allows only on a config of one document. */
export function applyJsonPatch(
  documents: readonly ConfigObject[],
  text: PatchText,
  schema: Schema,
): readonly ConfigObject[] {
  const [only, ...others] = documents
  const [document] = text.documents
  const list = document?.contents
  if (document === undefined || only === undefined || !isSeq(list)) return documents
  if (others.length > 0) throw manyDocuments(text, list)
  const reading = { text, document, schema }
  return [list.items.reduce((config: ConfigObject, item) => applyItem(config, item, reading), only)]
}

function applyItem(config: ConfigObject, item: unknown, reading: Reading): ConfigObject {
  if (!isMap(item)) throw notAnOperation(item, reading)
  const operation = readOperation(item, reading)
  try {
    const patched = applyOperation(config, operation)
    if (!isConfigObject(patched)) throw new OperationFails('it replaces the whole config')
    const unknown = findUnknownField(patched, 'v1alpha1', reading.schema)
    if (unknown !== undefined) throw new OperationFails(`${unknown} is not known to this version of Talos`)
    return patched
  } catch (thrown) {
    if (!(thrown instanceof OperationFails)) throw thrown
    throw reading.text.refuse(
      `The operation ${operation.op} ${operation.path} does not apply: ${thrown.message}.`,
      'Correct its path, or write a strategic merge patch instead.',
      item,
    )
  }
}

function readOperation(item: YAMLMap, reading: Reading): Operation {
  const value = nodeValue(item, { is: 'free', replaced: false }, '', reading)
  const { op, path, from, value: given } = isConfigObject(value) ? value : {}
  if (typeof op !== 'string' || typeof path !== 'string') throw notAnOperation(item, reading)
  return {
    op,
    path,
    ...(typeof from === 'string' ? { from } : {}),
    ...(given === undefined ? {} : { value: given as ConfigValue }),
  }
}

function notAnOperation(item: unknown, { text }: Reading) {
  return text.refuse(
    'The patch is a list with an entry that is not a JSON operation.',
    'Give each entry `op` and `path`, or write a strategic merge patch (keys and values, without dashes).',
    isMap(item) ? item : null,
  )
}

function manyDocuments(text: PatchText, list: Node) {
  return text.refuse(
    'The patch is a list of JSON operations, which Talos applies only to configs of one document; this config has several.',
    'Write it as a strategic merge patch: the keys and values that shall be there.',
    list,
  )
}
