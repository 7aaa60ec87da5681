import { readFile, stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { writeDurably } from '../durable-file.js'
import { FileError } from '../errors.js'
import { removeFromText, setInText } from './edit-text.js'
import type { InventoryFiles, TextFile } from './files.js'
import { type Path, parsePath, valueAt } from './path.js'

export interface Edit {
  /** The file that was changed. */
  readonly file: string
  readonly before: string
  readonly after: string
}

/** A value that is set at a place of the inventory, or removed. */
export type Change =
  | {
      readonly path: string
      readonly value: unknown /** Only where the key is written already. */
      readonly ifWritten?: true
    }
  | { readonly path: string; readonly remove: true }

/**
 * The texts with these changes, one by one. Every text is parsed again: unless exactly the wanted change is found, it
 * throws.
 */
export function withChanges(files: InventoryFiles, changes: readonly Change[]): InventoryFiles {
  return changes.reduce(withChange, files)
}

function withChange(files: InventoryFiles, change: Change): InventoryFiles {
  const named = parsePath(change.path)
  const target = fileOf(named, files.cluster, files.nodes)
  const data = tryParse(target.text)
  if ('ifWritten' in change && valueAt(data, named) === undefined) return files
  const isRemoval = 'remove' in change
  const place = isRemoval ? withEmptied(data, named) : named
  const text = isRemoval ? removeFromText(target.text, place) : setInText(target.text, place, change.value)
  const expected = isRemoval ? withoutValue(data, place) : withValue(data, place, change.value)
  if (text !== target.text && !isDeepStrictEqual(tryParse(text), expected)) throw cannotEdit(target.file, place)
  return target === files.nodes
    ? { ...files, nodes: { ...target, text } }
    : { ...files, cluster: { ...files.cluster, text } }
}

/** The section itself if it would be empty, instead of `placement: {}`. */
function withEmptied(data: unknown, place: Path): Path {
  const section = place.slice(0, -1)
  const value = valueAt(data, section)
  const isLast = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 1
  const isThere = valueAt(data, place) !== undefined
  return section.length > 0 && isLast && isThere ? withEmptied(data, section) : place
}

/** The differences: cluster.yaml first, so that a count never includes machines that are no longer named. */
export function editsBetween(before: InventoryFiles, after: InventoryFiles): Edit[] {
  const pairs = [
    { one: before.cluster, other: after.cluster },
    { one: before.nodes, other: after.nodes },
  ]
  return pairs.flatMap(({ one, other }) =>
    one === undefined || other === undefined || one.text === other.text
      ? []
      : [{ file: one.file, before: one.text, after: other.text }],
  )
}

/** Replaces the files, unless one of them was changed in the meantime. */
export async function writeEdits(edits: readonly Edit[]): Promise<void> {
  for (const { file, before } of edits) if ((await readFile(file, 'utf8')) !== before) throw changedMeanwhile(file)
  for (const { file, after } of edits) {
    const { mode } = await stat(file)
    await writeDurably(file, after, { mode: mode & 0o777, followsLink: true })
  }
}

function changedMeanwhile(file: string): FileError {
  return new FileError(`${file} was changed by another process in the meantime.`, {
    where: file,
    fix: 'Run the command again; nothing was written.',
  })
}

function withValue(data: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  const inner = withValue(valueAt(data, [key]), rest, value)
  if (typeof key === 'number') return (Array.isArray(data) ? data : []).toSpliced(key, 1, inner)
  return { ...(typeof data === 'object' ? data : {}), [key]: inner }
}

function withoutValue(data: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined || typeof data !== 'object' || data === null) return data
  if (rest.length > 0)
    return Object.hasOwn(data, key) ? withValue(data, [key], withoutValue(valueAt(data, [key]), rest)) : data
  if (Array.isArray(data)) return data.filter((_, index) => index !== key)
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== key))
}

/** Nodes are in nodes.yaml if it exists, unless cluster.yaml has them. */
function fileOf(place: Path, cluster: TextFile, nodes: TextFile | undefined): TextFile {
  const key = place[0] ?? ''
  const isAboutNodes = key === 'controlplane' || key === 'workers'
  if (nodes === undefined || !isAboutNodes) return cluster
  return valueAt(tryParse(cluster.text), [key]) === undefined ? nodes : cluster
}

function tryParse(text: string): unknown {
  try {
    return parse(text, { merge: true, logLevel: 'error' })
  } catch {
    return undefined
  }
}

function cannotEdit(file: string, place: Path): FileError {
  return new FileError(`${place.join('.')} cannot be changed without rewriting ${file}.`, {
    where: file,
    fix: 'Change it manually; nothing was written.',
  })
}
