import { type FieldTree, isMap, sameJson } from '../object.js'
import { keyDefaults, type MergeRules } from './list-keys.js'

/**
 * A set of fields, each as its path of `fieldsV1` segments (`f:spec`, `k:{"name":"web"}`, `.`) joined by line feeds.
 * Sets make ownership simple; trees are only the wire format.
 */
export type FieldSet = Set<string>

const joint = '\n'

/** Every leaf of an object, except what cannot be owned (its name, its kind). */
export function fieldSetOf(object: Readonly<Record<string, unknown>>, rules: MergeRules): FieldSet {
  const fields: FieldSet = new Set()
  for (const [key, value] of Object.entries(object)) {
    if (key === 'apiVersion' || key === 'kind') continue
    if (key === 'metadata') {
      if (isMap(value)) collectMetadata(value, rules, fields)
    } else collect(value, [`f:${key}`], [key], rules, fields)
  }
  return fields
}

const ownedMetadata = ['labels', 'annotations', 'finalizers', 'ownerReferences']

function collectMetadata(metadata: Readonly<Record<string, unknown>>, rules: MergeRules, into: FieldSet) {
  for (const key of ownedMetadata)
    if (metadata[key] !== undefined) collect(metadata[key], ['f:metadata', `f:${key}`], ['metadata', key], rules, into)
}

function collect(
  value: unknown,
  segments: readonly string[],
  path: readonly string[],
  rules: MergeRules,
  into: FieldSet,
) {
  if (isMap(value) && Object.keys(value).length > 0 && !rules.isAtomicMap(path)) {
    if (rules.ownsMap(path)) into.add([...segments, '.'].join(joint))
    for (const [key, inner] of Object.entries(value))
      collect(inner, [...segments, `f:${key}`], [...path, key], rules, into)
    return
  }
  const keys = Array.isArray(value) ? rules.keysOf(path) : undefined
  if (Array.isArray(value) && keys !== undefined && value.every(isMap)) {
    for (const item of value) {
      const here = [...segments, itemSegment(item, keys)]
      into.add([...here, '.'].join(joint))
      collect(item, here, path, rules, into)
    }
    return
  }
  if (Array.isArray(value) && rules.isSet(path)) {
    for (const item of value) into.add([...segments, `v:${JSON.stringify(item)}`].join(joint))
    return
  }
  into.add(segments.join(joint))
}

/** `k:{"containerPort":80,"protocol":"TCP"}`: identifies an item of a keyed list. */
export function itemSegment(item: Readonly<Record<string, unknown>>, keys: readonly string[]): string {
  const values = keys
    .map((key) => [key, item[key] ?? keyDefaults[key]] as const)
    .filter(([, value]) => value !== undefined)
  return `k:${JSON.stringify(Object.fromEntries(values))}`
}

export function toTree(fields: FieldSet): FieldTree {
  const root: Record<string, FieldTree> = {}
  for (const field of fields) {
    let here = root
    for (const segment of field.split(joint)) {
      here[segment] ??= {}
      here = here[segment] as Record<string, FieldTree>
    }
  }
  return root
}

export function fromTree(tree: FieldTree, prefix: readonly string[] = []): FieldSet {
  const fields: FieldSet = new Set()
  for (const [segment, inner] of Object.entries(tree)) {
    const here = [...prefix, segment]
    if (Object.keys(inner).length === 0) fields.add(here.join(joint))
    else for (const field of fromTree(inner, here)) fields.add(field)
  }
  return fields
}

/** The value of a field in an object; `undefined` if it has none. */
export function fieldValue(object: unknown, field: string): unknown {
  let here: unknown = object
  for (const segment of field.split(joint)) {
    if (segment === '.') return here === undefined ? undefined : true
    here = step(here, segment)
  }
  return here
}

function step(here: unknown, segment: string): unknown {
  if (segment.startsWith('f:')) return isMap(here) ? here[segment.slice(2)] : undefined
  if (!Array.isArray(here)) return undefined
  const wanted: unknown = JSON.parse(segment.slice(2))
  if (segment.startsWith('v:')) return here.find((item) => sameJson(item, wanted))
  return here.find((item) => isMap(item) && isMap(wanted) && hasKeys(item, wanted))
}

function hasKeys(item: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(([key, value]) => sameJson(item[key] ?? keyDefaults[key], value))
}

/** The object without these fields; empty maps stay, as in the real API for spec. */
export function withoutFields(value: unknown, fields: Iterable<string>): unknown {
  const byHead = new Map<string, string[]>()
  for (const field of fields) {
    const [head = '', ...rest] = field.split(joint)
    byHead.set(head, [...(byHead.get(head) ?? []), rest.join(joint)])
  }
  if (byHead.size === 0) return value
  if (isMap(value)) return withoutKeys(value, byHead)
  return Array.isArray(value) ? withoutItems(value, byHead) : value
}

function withoutKeys(value: Readonly<Record<string, unknown>>, byHead: ReadonlyMap<string, string[]>): unknown {
  const kept = Object.entries(value).flatMap(([key, inner]) => {
    const rests = byHead.get(`f:${key}`)
    if (rests === undefined) return [[key, inner] as const]
    if (rests.includes('')) return []
    return [[key, withoutFields(inner, rests)] as const]
  })
  return Object.fromEntries(kept)
}

function withoutItems(list: readonly unknown[], byHead: ReadonlyMap<string, string[]>): unknown[] {
  return list.flatMap((item) => {
    for (const [head, rests] of byHead) {
      if (!isSegmentOf(item, head)) continue
      if (rests.includes('') || rests.includes('.')) return []
      return [withoutFields(item, rests)]
    }
    return [item]
  })
}

function isSegmentOf(item: unknown, segment: string): boolean {
  const wanted: unknown = JSON.parse(segment.slice(2))
  if (segment.startsWith('v:')) return sameJson(item, wanted)
  return isMap(item) && isMap(wanted) && hasKeys(item, wanted)
}

/** `.spec.template.spec.containers[name="web"].image`: the name of a conflicting field in the real API. */
export function describeField(field: string): string {
  return field
    .split(joint)
    .map((segment) => {
      if (segment === '.') return ''
      if (segment.startsWith('f:')) return `.${segment.slice(2)}`
      const value: unknown = JSON.parse(segment.slice(2))
      if (!isMap(value)) return `[=${JSON.stringify(value)}]`
      return `[${Object.entries(value)
        .map(([key, inner]) => `${key}=${JSON.stringify(inner)}`)
        .join(',')}]`
    })
    .join('')
}
