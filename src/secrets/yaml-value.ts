import type { Document } from 'yaml'

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
