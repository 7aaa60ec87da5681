import {
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
} from 'yaml'
import type { Path } from './path.js'

/** The text with a value set at a place; everything else, including comments and layout, is unchanged. */
export function setInText(text: string, path: Path, value: unknown): string {
  const contents = parseDocument(text).contents as Node | null
  if (!isCollection(contents)) return `${text}${lineEnd(text)}${stringify(nested(path, value))}`
  const { container, key, rest } = descend(contents, path)
  const inner = nested(rest, value)
  const found = isMap(container) ? pairOf(container, key) : undefined
  if (found !== undefined) return replaceValue(text, found, inner)
  if (isSeq(container) && typeof key === 'number' && key < container.items.length) {
    return splice(text, container.items[key] as Node, inline(inner))
  }
  if (container.flow) return splice(text, container, inline(withEntry(container.toJSON(), key, inner)))
  return appendEntry(text, container, isMap(container) ? { [key]: inner } : [inner])
}

/** The text without the value at a place; unchanged if there is none. */
export function removeFromText(text: string, path: Path): string {
  const contents = parseDocument(text).contents as Node | null
  if (!isCollection(contents)) return text
  const { container, key, rest } = descend(contents, path)
  if (rest.length > 0) return text
  if (container.flow) return splice(text, container, inline(withoutEntry(container.toJSON(), key)))
  const item = isMap(container) ? pairOf(container, key) : (container.items[Number(key)] as Node | undefined)
  if (item === undefined) return text
  if (container.items.length === 1) return splice(text, container, isMap(container) ? '{}' : '[]')
  const [start, end] = isMap(container)
    ? rangeOfPair(item as Pair<Node, Node | null>)
    : ((item as Node).range ?? [0, 0])
  return text.slice(0, lineStart(text, start)) + text.slice(lineStop(text, end))
}

type Collection = Extract<Node, { items: unknown[] }>

/** The deepest mapping or list on the path, and the rest of the path. */
function descend(contents: Collection, path: Path): { container: Collection; key: string | number; rest: Path } {
  let container = contents
  for (let depth = 0; ; depth++) {
    const [key = '', ...rest] = path.slice(depth)
    const next = container.get(key, true)
    if (rest.length === 0 || !isCollection(next)) return { container, key, rest }
    container = next as Collection
  }
}

function nested(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, part) => (typeof part === 'number' ? [inner] : { [part]: inner }), value)
}

function pairOf(map: YAMLMap, key: string | number): Pair<Node, Node | null> | undefined {
  const found = map.items.find((pair) => isScalar(pair.key) && pair.key.value === key)
  return found as Pair<Node, Node | null> | undefined
}

function rangeOfPair({ key, value }: Pair<Node, Node | null>): [number, number] {
  const [start, keyEnd] = key.range ?? [0, 0]
  return [start, value?.range?.[1] ?? keyEnd]
}

function replaceValue(text: string, { key, value }: Pair<Node, Node | null>, inner: unknown): string {
  const colon = text.indexOf(':', key.range?.[1] ?? 0) + 1
  const isInPlace = isScalar(value) && (value.range?.[0] ?? 0) > colon
  if (isInPlace) return splice(text, value, inline(inner))
  const end = Math.max(colon, value === null ? colon : endOf(text, value))
  return `${text.slice(0, colon)} ${inline(inner)}${text.slice(end)}`
}

function splice(text: string, node: Node, replacement: string): string {
  return text.slice(0, node.range?.[0] ?? 0) + replacement + text.slice(endOf(text, node))
}

/** Where the content of a node ends, without the line break at the end of a block. */
function endOf(text: string, { range }: Node): number {
  return text.slice(0, range?.[1] ?? text.length).trimEnd().length
}

function appendEntry(text: string, container: Collection, entry: unknown): string {
  const start = container.range?.[0] ?? 0
  const indent = ' '.repeat(start - lineStart(text, start))
  const lines = stringify(entry, { lineWidth: 0 }).trimEnd().replaceAll(/^/gm, indent)
  const stop = lineStop(text, endOf(text, container))
  const before = text.slice(0, stop)
  return `${before}${lineEnd(before)}${lines}\n${text.slice(stop)}`
}

function inline(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd()
}

function withEntry(data: unknown, key: string | number, value: unknown): unknown {
  return Array.isArray(data) ? [...data, value] : { ...(data as object), [key]: value }
}

function withoutEntry(data: unknown, key: string | number): unknown {
  if (Array.isArray(data)) return data.filter((_, index) => index !== key)
  return Object.fromEntries(Object.entries(data as object).filter(([name]) => name !== key))
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** After the end of the line on which the text before `offset` ends. */
function lineStop(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return offset
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end + 1
}

function lineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? '' : '\n'
}
