import { type Document, isMap, isScalar, isSeq, type Pair } from 'yaml'

/**
 * The value of a document; `undefined` for an unresolved alias. The parser's error would repeat what may be a secret.
 */
export function findValue(document: Document.Parsed): unknown {
  try {
    return document.toJS()
  } catch {
    return undefined
  }
}

/** The value of a node without aliases. Everything stays text: a token of digits must not become a number. */
export function textsIn(node: unknown): unknown {
  if (isMap(node)) return Object.fromEntries(node.items.map(({ key, value }: Pair) => [textsIn(key), textsIn(value)]))
  if (isSeq(node)) return node.items.map(textsIn)
  if (!isScalar(node)) return ''
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value ?? ''))
}
