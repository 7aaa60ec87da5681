import type { Document } from 'yaml'

/** What a document says; `undefined` when an alias in it leads nowhere. Its own words would repeat what may be a secret. */
export function findValue(document: Document.Parsed): unknown {
  try {
    return document.toJS()
  } catch {
    return undefined
  }
}
