import type { ManagedFieldsEntry, StoredObject } from '../object.js'
import { isMap, sameJson, withMeta } from '../object.js'
import { StatusError } from '../status-error.js'
import {
  describeField,
  type FieldSet,
  fieldSetOf,
  fieldValue,
  fromTree,
  itemSegment,
  toTree,
  withoutFields,
} from './field-set.js'
import type { MergeRules } from './list-keys.js'

export interface Writer {
  readonly manager: string
  readonly time: string
  readonly subresource?: string
}

/** Server-side apply: merges the applied object into the existing one, or reports the owners of conflicting fields. */
export function serverSideApply(
  live: StoredObject,
  applied: StoredObject,
  writer: Writer & { readonly force: boolean },
  rules: MergeRules,
): StoredObject {
  const wanted = fieldSetOf(applied, rules)
  const entries = live.metadata.managedFields ?? []
  const mine = entries.find((entry) => isApplyOf(entry, writer))
  const others = entries.filter((entry) => entry !== mine)
  const conflicts = findConflicts(live, applied, wanted, others)
  if (conflicts.length > 0 && !writer.force) throw conflictError(conflicts)

  const taken = new Set(conflicts.map(({ field }) => field))
  const left = others.map((entry) => withoutOwned(entry, taken)).filter(ownsSomething)
  const stillOwned = new Set(left.flatMap((entry) => [...fromTree(entry.fieldsV1)]))
  const dropped = [...(mine === undefined ? [] : fromTree(mine.fieldsV1))].filter(
    (field) => !wanted.has(field) && !stillOwned.has(field),
  )
  const merged = withoutFields(mergeApplied(live, applied, [], rules), dropped) as StoredObject
  const own = wanted.size === 0 ? [] : [entryOf(applied.apiVersion, 'Apply', writer, wanted)]
  return withMeta(merged, { managedFields: [...left, ...own] })
}

/** Any other write: what it changed now belongs to the writer. */
export function ownChanges(
  before: StoredObject | undefined,
  after: StoredObject,
  writer: Writer,
  rules: MergeRules,
): StoredObject {
  const fields = fieldSetOf(after, rules)
  const changed = new Set([...fields].filter((field) => !sameJson(fieldValue(before, field), fieldValue(after, field))))
  const entries = before?.metadata.managedFields ?? []
  const gone = new Set(entries.flatMap((entry) => [...fromTree(entry.fieldsV1)]).filter((field) => !fields.has(field)))
  if (changed.size === 0 && gone.size === 0) return withMeta(after, { managedFields: entries })

  const mine = entries.find((entry) => isUpdateOf(entry, writer))
  const others = entries.filter((entry) => entry !== mine).map((entry) => withoutOwned(entry, union(changed, gone)))
  const owned = union(minus(mine === undefined ? new Set() : fromTree(mine.fieldsV1), gone), changed)
  const own = owned.size === 0 ? [] : [entryOf(after.apiVersion, 'Update', writer, owned)]
  return withMeta(after, { managedFields: [...others.filter(ownsSomething), ...own] })
}

interface Conflict {
  readonly manager: string
  readonly field: string
}

function findConflicts(
  live: StoredObject,
  applied: StoredObject,
  wanted: FieldSet,
  others: readonly ManagedFieldsEntry[],
): Conflict[] {
  return others.flatMap((entry) =>
    [...fromTree(entry.fieldsV1)]
      .filter((field) => wanted.has(field) && !sameJson(fieldValue(live, field), fieldValue(applied, field)))
      .map((field) => ({
        manager: `"${entry.manager}"${entry.operation === 'Update' ? ` using ${entry.apiVersion}` : ''}`,
        field,
      })),
  )
}

function conflictError(conflicts: readonly Conflict[]): StatusError {
  const managers = new Set(conflicts.map(({ manager }) => manager))
  const [first] = conflicts
  const message =
    conflicts.length === 1 && first !== undefined
      ? `Apply failed with 1 conflict: conflict with ${first.manager}: ${describeField(first.field)}`
      : `Apply failed with ${conflicts.length} conflicts: ${[...managers]
          .map(
            (manager) =>
              `conflicts with ${manager}:${conflicts
                .filter((one) => one.manager === manager)
                .map((one) => `\n- ${describeField(one.field)}`)
                .join('')}`,
          )
          .join('\n')}`
  const causes = conflicts.map(({ manager, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field: describeField(field),
  }))
  return new StatusError(409, 'Conflict', message, { causes })
}

function mergeApplied(live: unknown, applied: unknown, path: readonly string[], rules: MergeRules): unknown {
  if (isMap(live) && isMap(applied) && !rules.isAtomicMap(path)) {
    const merged: Record<string, unknown> = { ...live }
    for (const [key, value] of Object.entries(applied))
      merged[key] = mergeApplied(live[key], value, [...path, key], rules)
    return merged
  }
  if (Array.isArray(live) && Array.isArray(applied)) return mergeLists(live, applied, path, rules)
  return applied
}

function mergeLists(live: readonly unknown[], applied: readonly unknown[], path: readonly string[], rules: MergeRules) {
  if (rules.isSet(path)) return [...live, ...applied.filter((item) => !live.some((other) => sameJson(item, other)))]
  const keys = rules.keysOf(path)
  if (keys === undefined || !live.every(isMap) || !applied.every(isMap)) return applied
  const fresh = new Map(applied.map((item) => [itemSegment(item, keys), item]))
  const kept = live.map((item) => {
    const match = fresh.get(itemSegment(item, keys))
    fresh.delete(itemSegment(item, keys))
    return match === undefined ? item : mergeApplied(item, match, path, rules)
  })
  return [...kept, ...fresh.values()]
}

function isApplyOf(entry: ManagedFieldsEntry, { manager, subresource }: Writer): boolean {
  return entry.operation === 'Apply' && entry.manager === manager && entry.subresource === subresource
}

function isUpdateOf(entry: ManagedFieldsEntry, { manager, subresource }: Writer): boolean {
  return entry.operation === 'Update' && entry.manager === manager && entry.subresource === subresource
}

function entryOf(
  apiVersion: string,
  operation: 'Apply' | 'Update',
  { manager, time, subresource }: Writer,
  fields: FieldSet,
): ManagedFieldsEntry {
  return {
    manager,
    operation,
    apiVersion,
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: toTree(fields),
    ...(subresource === undefined ? {} : { subresource }),
  }
}

function withoutOwned(entry: ManagedFieldsEntry, fields: ReadonlySet<string>): ManagedFieldsEntry {
  const owned = fromTree(entry.fieldsV1)
  const left = minus(owned, fields)
  return left.size === owned.size ? entry : { ...entry, fieldsV1: toTree(left) }
}

function ownsSomething(entry: ManagedFieldsEntry): boolean {
  return Object.keys(entry.fieldsV1).length > 0
}

function minus(one: ReadonlySet<string>, other: ReadonlySet<string>): FieldSet {
  return new Set([...one].filter((field) => !other.has(field)))
}

function union(one: ReadonlySet<string>, other: ReadonlySet<string>): FieldSet {
  return new Set([...one, ...other])
}
