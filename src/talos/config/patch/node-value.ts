import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml'
import { findNearest } from '../../../nearest.js'
import type { ConfigObject, ConfigValue } from '../config-value.js'
import type { PatchText } from './patch-text.js'
import type { Schema } from './schema.js'
import type { Shape } from './shape.js'

/** The context for reading patch nodes. */
export interface Reading {
  readonly text: PatchText
  readonly document: Document.Parsed
  readonly schema: Schema
}

/** The value of a node as a field of this shape; refuses unknown fields and values of another type. */
export function nodeValue(node: unknown, shape: Shape, path: string, reading: Reading): ConfigValue {
  const real = resolved(node, reading)
  if (real === null || (isScalar(real) && real.value === null)) return null
  switch (shape.is) {
    case 'fields':
      return fieldsValue(mapOf(real, path, reading), shape.type, path, reading)
    case 'map':
    case 'args':
      return entriesValue(mapOf(real, path, reading), shape, path, reading)
    case 'list':
    case 'keyed':
      return listValue(real, shape.of, path, reading)
    case 'free':
      return freeValue(real, path, reading)
    default:
      return scalarValue(scalarOf(real, path, reading), shape, path, reading)
  }
}

/** The pairs of a map; merged ones (`<<`) come before its own. */
export function pairsOf(map: YAMLMap, reading: Reading): { key: string; keyNode: Node | null; value: unknown }[] {
  const pairs = (map.items as Pair[]).map(({ key, value }) => ({
    key: String(isScalar(key) ? key.value : key),
    keyNode: isScalar(key) ? key : null,
    value,
  }))
  const merged = pairs
    .filter(({ key }) => key === '<<')
    .flatMap(({ value }) => {
      const real = resolved(value, reading)
      return isMap(real) ? pairsOf(real, reading) : []
    })
  const own = pairs.filter(({ key }) => key !== '<<')
  return [...merged.filter(({ key }) => !own.some((other) => other.key === key)), ...own]
}

/** The target of an alias. */
export function resolved(node: unknown, reading: Reading): Node | null {
  if (isAlias(node)) return node.resolve(reading.document) ?? null
  return isMap(node) || isSeq(node) || isScalar(node) ? node : null
}

function fieldsValue(map: YAMLMap, type: string, path: string, reading: Reading): ConfigObject {
  const fields = reading.schema.types.get(type) ?? new Map<string, Shape>()
  const entries = pairsOf(map, reading).map(({ key, keyNode, value }): [string, ConfigValue] => {
    const shape = fields.get(key) ?? unknownField(key, path, [...fields.keys()], keyNode, reading)
    return [key, nodeValue(value, shape, join(path, key), reading)]
  })
  return Object.fromEntries(entries)
}

function unknownField(key: string, path: string, known: readonly string[], node: Node | null, reading: Reading): Shape {
  if (reading.schema.isOpen) return { is: 'free', replaced: false }
  throw reading.text.refuse(
    `The patch sets ${join(path, key)}, which this version of Talos does not know.`,
    fixFor(key, path, known),
    node,
  )
}

function fixFor(key: string, path: string, known: readonly string[]): string {
  const nearest = findNearest(key, known)
  if (nearest !== undefined) return `Did you mean ${join(path, nearest)}?`
  return known.length === 0 ? 'Remove it.' : `Remove it, or use one of: ${[...known].sort().join(', ')}.`
}

function entriesValue(map: YAMLMap, shape: Shape, path: string, reading: Reading): ConfigObject {
  const entries = pairsOf(map, reading).map(({ key, value }): [string, ConfigValue] => [
    key,
    shape.is === 'map'
      ? nodeValue(value, shape.of, join(path, key), reading)
      : argument(value, join(path, key), reading),
  ])
  return Object.fromEntries(entries)
}

/** An argument is a string, or from 1.13 on a list of strings. */
function argument(node: unknown, path: string, reading: Reading): ConfigValue {
  const real = resolved(node, reading)
  if (isSeq(real)) return listValue(real, { is: 'text' }, path, reading)
  return nodeValue(real, { is: 'text' }, path, reading)
}

function listValue(node: Node, of: Shape, path: string, reading: Reading): ConfigValue {
  if (!isSeq(node)) throw wrongForm('a list', path, node, reading)
  return node.items.map((item, index) => nodeValue(item, of, `${path}[${index}]`, reading))
}

function freeValue(node: Node, path: string, reading: Reading): ConfigValue {
  if (isMap(node)) {
    return Object.fromEntries(
      pairsOf(node, reading).map(({ key, value }) => [key, freeNode(value, join(path, key), reading)]),
    )
  }
  if (isSeq(node)) return node.items.map((item, index) => freeNode(item, `${path}[${index}]`, reading))
  return isScalar(node) ? (node.value as ConfigValue) : null
}

function freeNode(node: unknown, path: string, reading: Reading): ConfigValue {
  const real = resolved(node, reading)
  return real === null ? null : freeValue(real, path, reading)
}

/**
 * Text is kept as written (`1.10` stays `1.10`); numbers with a leading zero are octal, and `yes` is a boolean, as in
 * Talos.
 */
function scalarValue(node: Scalar, shape: Shape, path: string, reading: Reading): ConfigValue {
  const written = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
  const isPlain = node.type === undefined || node.type === 'PLAIN'
  if (shape.is === 'flag') return flag(written, isPlain, path, node, reading)
  if (shape.is === 'text') return written
  if (isPlain && /^0[0-7]+$/.test(written)) return Number.parseInt(written, 8)
  return node.value as ConfigValue
}

function flag(written: string, isPlain: boolean, path: string, node: Scalar, reading: Reading): boolean {
  const word = isPlain ? written.toLowerCase() : ''
  if (['true', 'yes', 'on', 'y'].includes(word)) return true
  if (['false', 'no', 'off', 'n'].includes(word)) return false
  throw wrongForm('true or false', path, node, reading)
}

function mapOf(node: Node, path: string, reading: Reading): YAMLMap {
  if (isMap(node)) return node
  throw wrongForm('a map', path, node, reading)
}

function scalarOf(node: Node, path: string, reading: Reading): Scalar {
  if (isScalar(node)) return node
  throw wrongForm('a single value', path, node, reading)
}

function wrongForm(wanted: string, path: string, node: Node, reading: Reading) {
  return reading.text.refuse(
    `The patch gives ${path || 'a document'} another form than ${wanted}.`,
    `Write ${wanted} there.`,
    node,
  )
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
