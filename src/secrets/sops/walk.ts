import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { SecretsError } from '../secrets-error.js'

export interface Visitor {
  /** The file, for errors. */
  readonly where: string
  /** Every value that is not null, in file order. List indexes are not part of the path. */
  leaf(scalar: Scalar, path: readonly string[]): void
  /** Each line of a comment, with the path of its mapping or list; returns the replacement. */
  comment(line: string, path: readonly string[]): string
}

/** Walks through values and comments as SOPS does. */
export function walk(document: Document, visitor: Visitor): void {
  rewriteComments(document, [], visitor)
  if (isMap(document.contents)) walkMap(document.contents, [], visitor)
}

/** The name of a place in a message: `certs.os.key`. */
export function placeName(path: readonly string[]): string {
  return path.join('.')
}

function walkMap(map: YAMLMap, path: readonly string[], visitor: Visitor): void {
  rewriteComments(map, path, visitor)
  for (const pair of map.items) walkPair(pair, path, visitor)
}

function walkPair({ key, value }: Pair, path: readonly string[], visitor: Visitor): void {
  const name = isScalar(key) ? String(key.value) : String(key)
  if (isScalar(key)) rewriteComments(key, path, visitor)
  walkValue(value, [...path, name], path, visitor)
}

function walkSeq(seq: YAMLSeq, path: readonly string[], visitor: Visitor): void {
  rewriteComments(seq, path, visitor)
  for (const item of seq.items) walkValue(item, path, path, visitor)
}

function walkValue(value: unknown, path: readonly string[], parent: readonly string[], visitor: Visitor): void {
  if (isMap(value)) walkMap(value, path, visitor)
  else if (isSeq(value)) walkSeq(value, path, visitor)
  else if (isScalar(value)) walkScalar(value, path, parent, visitor)
  else if (value !== null) throw unsupported(value, path, visitor)
}

function walkScalar(scalar: Scalar, path: readonly string[], parent: readonly string[], visitor: Visitor): void {
  rewriteComments(scalar, parent, visitor)
  if (scalar.value !== null) visitor.leaf(scalar, path)
}

function unsupported(value: unknown, path: readonly string[], { where }: Visitor): Error {
  if (!isAlias(value)) return new Error(`${placeName(path)} is not a YAML node`)
  return new SecretsError(`${placeName(path)} is a YAML alias, and SOPS files have none.`, {
    where,
    fix: 'Write the value itself.',
  })
}

interface Commented {
  commentBefore?: string | null | undefined
  comment?: string | null | undefined
}

function rewriteComments(node: Commented, path: readonly string[], visitor: Visitor): void {
  const rewrite = (text: string) =>
    text
      .split('\n')
      .map((line) => (line === '' ? line : visitor.comment(line, path)))
      .join('\n')
  if (node.commentBefore) node.commentBefore = rewrite(node.commentBefore)
  if (node.comment) node.comment = rewrite(node.comment)
}
