import { isDeepStrictEqual } from 'node:util'
import { type ConfigObject, type ConfigValue, isConfigList, isConfigObject } from '../talos/config/config-value.js'
import { kindOf, titleOf } from '../talos/config/read-config.js'

/** One place where the config that runs differs from the rendered one, and how a patch makes them equal. */
export interface Piece {
  /** `v1alpha1`, or kind and name of the document. */
  readonly document: string
  /** `apiVersion`, `kind` and `name` of a document that is not v1alpha1. */
  readonly head: ConfigObject
  /** Empty for the whole document. */
  readonly path: readonly string[]
  /** `replace`: removed first, because a merge would keep parts of it. */
  readonly how: 'set' | 'remove' | 'replace'
  /** Absent for `remove`. */
  readonly value?: ConfigValue
  /** Names versions as variables of patches, and so follows an upgrade. */
  readonly isTemplate?: true
}

/** What must be patched in `rendered` so that it means the same as `running`, whatever the order of documents. */
export function piecesBetween(rendered: readonly ConfigObject[], running: readonly ConfigObject[]): Piece[] {
  const [left, right] = [byTitle(rendered), byTitle(running)]
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((title) => {
    const [before, after] = [left.get(title), right.get(title)]
    const head = headOf(after ?? before ?? {})
    const of = (piece: Omit<Piece, 'document' | 'head'>): Piece => ({ document: title, head, ...piece })
    if (after === undefined) return [of({ path: [], how: 'remove' })]
    if (before === undefined) return [of({ path: [], how: 'set', value: withoutHead(after) })]
    return within(withoutHead(before), withoutHead(after), []).map(of)
  })
}

type Inner = Omit<Piece, 'document' | 'head'>

function within(before: ConfigObject, after: ConfigObject, path: readonly string[]): Inner[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key): Inner[] => {
    const [one, other] = [before[key], after[key]]
    const here = [...path, key]
    if (isNothing(other)) return isNothing(one) ? [] : [{ path: here, how: 'remove' }]
    if (isNothing(one)) return [{ path: here, how: 'set', value: other }]
    if (isDeepStrictEqual(one, other)) return []
    if (isConfigObject(one) && isConfigObject(other)) return within(one, other, here)
    return [changed(one, other, here)]
  })
}

/** Lists grow in a merge, and a zero value changes nothing. */
function changed(one: ConfigValue, other: ConfigValue, path: readonly string[]): Inner {
  if (isConfigList(one) && isConfigList(other)) {
    const isLonger = isDeepStrictEqual(one, other.slice(0, one.length)) && other.every((item) => !isConfigObject(item))
    if (isLonger) return { path, how: 'set', value: other.slice(one.length) }
  }
  const isMerged = typeof one === typeof other && !isConfigList(other) && other !== '' && other !== 0
  return { path, how: isMerged ? 'set' : 'replace', value: other }
}

/** Talos treats it as absent. An empty object is different, because it may switch something on. */
function isNothing(value: ConfigValue | undefined): value is undefined | null {
  return value === undefined || value === null || (isConfigList(value) && value.length === 0)
}

function headOf({ apiVersion, kind, name }: ConfigObject): ConfigObject {
  if (kind === undefined) return {}
  return { apiVersion: apiVersion ?? 'v1alpha1', kind, ...(name === undefined ? {} : { name }) }
}

function withoutHead(document: ConfigObject): ConfigObject {
  if (kindOf(document) === 'v1alpha1') return document
  const { apiVersion: _version, kind: _kind, name: _name, ...rest } = document
  return rest
}

function byTitle(documents: readonly ConfigObject[]): ReadonlyMap<string, ConfigObject> {
  return new Map(documents.map((document) => [titleOf(document), document]))
}
