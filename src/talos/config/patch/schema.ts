import { newestTalosMinor } from '../../../cluster/version.js'
import { knownKinds, knownTypes } from './known-fields.js'
import { parseShape, type Shape } from './shape.js'

export interface Kind {
  readonly type: string
  readonly isNamed: boolean
}

/** The documents and fields of a range of Talos minor versions. */
export interface Schema {
  readonly kinds: ReadonlyMap<string, Kind>
  readonly types: ReadonlyMap<string, ReadonlyMap<string, Shape>>
  /** From 1.14 on a patch may contain the same document twice. */
  readonly mayRepeat: boolean
  /** The range extends past the newest known Talos, so unknown fields may be valid. */
  readonly isOpen: boolean
}

const remembered = new Map<string, Schema>()

/** What any Talos from the first to the last of these minor versions supports. */
export function schemaOf(first: number, last: number): Schema {
  const key = `${first}-${last}`
  const known = remembered.get(key) ?? readTable(Math.min(first, newestTalosMinor), last)
  remembered.set(key, known)
  return known
}

function readTable(first: number, last: number): Schema {
  const range = { first, last }
  return {
    kinds: new Map(linesOf(knownKinds).flatMap((line) => readKind(line, range))),
    types: new Map(linesOf(knownTypes).flatMap((line) => readType(line, range))),
    mayRepeat: last >= 14,
    isOpen: last > newestTalosMinor,
  }
}

interface Range {
  readonly first: number
  readonly last: number
}

function readKind(line: string, range: Range): [string, Kind][] {
  const [head = '', type = ''] = line.split(' ')
  const isNamed = head.endsWith('!')
  const { name, isKnown } = readSpan(isNamed ? head.slice(0, -1) : head, range)
  return isKnown ? [[name, { type, isNamed }]] : []
}

function readType(line: string, range: Range): [string, ReadonlyMap<string, Shape>][] {
  const [head = '', ...words] = line.split(' ')
  const { name, isKnown } = readSpan(head, range)
  return isKnown ? [[name, new Map(words.flatMap((word) => readField(word, range)))]] : []
}

function readField(word: string, range: Range): [string, Shape][] {
  const colon = word.indexOf(':')
  const { name, isKnown } = readSpan(word.slice(0, colon), range)
  return isKnown ? [[name, parseShape(word.slice(colon + 1))]] : []
}

/** `name`, `name@first` or `name@first-last`. */
function readSpan(text: string, range: Range): { name: string; isKnown: boolean } {
  const [name = '', span = ''] = text.split('@')
  const [first = '0', last = 'Infinity'] = span === '' ? [] : span.split('-')
  return { name, isKnown: Number(first) <= range.last && Number(last) >= range.first }
}

function linesOf(table: string): string[] {
  return table.split('\n').filter((line) => line !== '')
}
