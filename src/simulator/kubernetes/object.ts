/** Any Kubernetes object as stored in etcd. Objects are immutable: a change is a new object. */
export interface StoredObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
  readonly [field: string]: unknown
}

export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly generateName?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
  readonly managedFields?: readonly ManagedFieldsEntry[]
}

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

export interface ManagedFieldsEntry {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly time: string
  readonly fieldsType: 'FieldsV1'
  readonly fieldsV1: FieldTree
  readonly subresource?: string
}

/** The `fieldsV1` form: `{"f:spec": {"f:replicas": {}}}`. */
export interface FieldTree {
  readonly [key: string]: FieldTree
}

export type Json = null | boolean | number | string | readonly Json[] | JsonMap
export interface JsonMap {
  readonly [key: string]: unknown
}

export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The map at a path of keys; empty if there is none. */
export function mapAt(value: unknown, ...path: readonly string[]): JsonMap {
  const found = valueAt(value, ...path)
  return isMap(found) ? found : {}
}

/** The maps in the list at a path of keys; empty if there is none. */
export function mapsAt(value: unknown, ...path: readonly string[]): readonly JsonMap[] {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found.filter(isMap) : []
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path)
  return typeof found === 'string' ? found : undefined
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path)
  return typeof found === 'number' ? found : undefined
}

export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let current: unknown = value
  for (const key of path) {
    if (!isMap(current)) return undefined
    current = current[key]
  }
  return current
}

/** Deep equality of JSON values; key order is ignored, and an `undefined` key is absent. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]))
  if (!isMap(one) || !isMap(other)) return false
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].every((key) => sameJson(one[key], other[key]))
}

/** Kubernetes writes times in whole seconds. */
export function timestamp(modelMs: number): string {
  return new Date(Math.floor(modelMs / 1000) * 1000).toISOString().replace('.000Z', 'Z')
}

export function withMeta(object: StoredObject, changes: Partial<ObjectMeta>): StoredObject {
  return { ...object, metadata: { ...object.metadata, ...changes } }
}
