import { open, rename, stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { FileError } from '../errors.js'
import { removeFromText, setInText } from './edit-text.js'
import { findEnvironments, readEnvironment, type TextFile } from './files.js'
import { type Path, parsePath, valueAt } from './path.js'

export interface Edit {
  /** The file that was changed. */
  readonly file: string
  readonly before: string
  readonly after: string
}

/** Writes a value into the inventory, in whichever of its files the place is, and keeps comments and layout. */
export async function setValue(folder: string, path: string, value: unknown): Promise<Edit> {
  const place = parsePath(path)
  const change = (text: string) => setInText(text, place, value)
  return edit(folder, place, change, (data) => withValue(data, place, value))
}

/** Takes a value out of the inventory and keeps comments and layout. */
export async function removeValue(folder: string, path: string): Promise<Edit> {
  const place = parsePath(path)
  const change = (text: string) => removeFromText(text, place)
  return edit(folder, place, change, (data) => withoutValue(data, place))
}

/** The text is changed and then read again: unless exactly the wanted change is found, nothing is written. */
async function edit(
  folder: string,
  place: Path,
  change: (text: string) => string,
  expect: (data: unknown) => unknown,
): Promise<Edit> {
  const [clusterFile = folder] = await findEnvironments(folder)
  const { cluster, nodes } = await readEnvironment(clusterFile)
  const { file, text } = fileOf(place, cluster, nodes)
  const after = change(text)
  if (after === text) return { file, before: text, after }
  if (!isDeepStrictEqual(tryParse(after), expect(tryParse(text)))) throw cannotEdit(file, place)
  await replaceFile(file, after)
  return { file, before: text, after }
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

/** Nodes stand in nodes.yaml where there is one, unless cluster.yaml has them. */
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
    fix: 'Change it by hand; nothing was written.',
  })
}

/** Never half there: written beside, synced, then moved into place. */
async function replaceFile(file: string, text: string): Promise<void> {
  const { mode } = await stat(file)
  const temporary = `${file}.ichor-${process.pid}`
  const handle = await open(temporary, 'w', mode)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, file)
}
