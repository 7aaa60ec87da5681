import { type Document, isMap, parseDocument, YAMLMap } from 'yaml'
import { FileError } from '../../errors.js'

/** A user's talosconfig or kubeconfig as a document that keeps its comments; empty if there is none. */
export function openConfig(text: string | undefined, where: string): Document {
  const document: Document = parseDocument(text ?? '')
  if (document.errors.length > 0) throw unreadable(where, document.errors[0]?.linePos?.[0].line)
  if (document.contents === null) document.contents = new YAMLMap()
  if (!isMap(document.contents)) throw unreadable(where, 1)
  return document
}

/** The mapping at a path, created if it is missing or null. */
export function getMap(document: Document, path: readonly string[], where: string): YAMLMap {
  const found = document.getIn(path)
  if (isMap(found)) {
    found.flow = false
    return found
  }
  if (found !== undefined && found !== null) throw unreadable(where)
  const made = new YAMLMap()
  document.setIn(path, made)
  return made
}

/** The layout of the existing file; a new one is formatted like talosctl's. */
export function formatConfig(document: Document, existing?: string): string {
  const lines = (existing ?? '').split('\n').filter((line) => !/^\s*(#|$)/.test(line))
  const indents = lines.map((line) => line.search(/\S/)).filter((indent) => indent > 0)
  const isListFlush = lines.some((line) => line.startsWith('- '))
  const indent = Math.min(8, ...(indents.length === 0 ? [4] : indents))
  return document.toString({ indent: Math.max(2, indent), indentSeq: !isListFlush, lineWidth: 0 })
}

/** Refuses any other file: a typo in a path must not put keys into an inventory. */
export function refuseOtherFiles(document: Document, keys: readonly string[], where: string): void {
  const isEmpty = !isMap(document.contents) || document.contents.items.length === 0
  if (isEmpty || keys.some((key) => document.has(key))) return
  throw unreadable(where)
}

export function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** The name itself, or the first available of `name-1`, `name-2` and so on. */
export function freeName(name: string, mayTake: (candidate: string) => boolean): string {
  for (let n = 0; ; n++) {
    const candidate = n === 0 ? name : `${name}-${n}`
    if (mayTake(candidate)) return candidate
  }
}

/** A file that cannot be parsed is never replaced. */
export function unreadable(where: string, line?: number): FileError {
  return new FileError('This file is not a configuration that can be added to; it was left as it is.', {
    where: line === undefined ? where : `${where}:${line}`,
    fix: 'Repair the file, or move it away and run the command again.',
  })
}
