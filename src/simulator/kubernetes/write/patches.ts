import { isMap, type JsonMap, sameJson } from '../object.js'
import { badRequest, StatusError } from '../status-error.js'
import type { MergeRules } from './list-keys.js'

/** RFC 7386: `null` removes. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch
  const merged: Record<string, unknown> = isMap(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = mergePatch(merged[key], value)
  }
  return merged
}

/** Kubernetes' own merge: lists with a merge key merge by it, and `$patch` directives replace or delete. */
export function strategicMergePatch(
  target: unknown,
  patch: unknown,
  rules: MergeRules,
  path: readonly string[] = [],
): unknown {
  if (!isMap(patch)) return patch
  if (patch.$patch === 'replace') return withoutDirectives(patch)
  const merged: Record<string, unknown> = isMap(target) ? { ...target } : {}
  const retained = patch.$retainKeys
  if (Array.isArray(retained)) for (const key of Object.keys(merged)) if (!retained.includes(key)) delete merged[key]
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$deleteFromPrimitiveList/')) removePrimitives(merged, key, value)
    if (key.startsWith('$')) continue
    if (value === null) delete merged[key]
    else merged[key] = mergeValue(merged[key], value, rules, [...path, key])
  }
  return merged
}

function mergeValue(target: unknown, value: unknown, rules: MergeRules, path: readonly string[]): unknown {
  if (!Array.isArray(value)) return strategicMergePatch(target, value, rules, path)
  if (rules.isSet(path) && Array.isArray(target)) return [...new Set([...target, ...value])]
  const [key] = rules.keysOf(path) ?? []
  return key !== undefined && value.every(isMap) ? mergeKeyedList(target, value, key, rules, path) : value
}

function mergeKeyedList(
  target: unknown,
  patch: readonly JsonMap[],
  key: string,
  rules: MergeRules,
  path: readonly string[],
) {
  if (patch.some((item) => item.$patch === 'replace')) return patch.filter((item) => item.$patch !== 'replace')
  let items: unknown[] = Array.isArray(target) ? [...target] : []
  for (const change of patch) {
    const index = items.findIndex((item) => isMap(item) && sameJson(item[key], change[key]))
    if (change.$patch === 'delete') items = items.filter((_, at) => at !== index)
    else if (index < 0) items.push(withoutDirectives(change))
    else items[index] = strategicMergePatch(items[index], change, rules, path)
  }
  return items
}

function removePrimitives(merged: Record<string, unknown>, directive: string, values: unknown) {
  const key = directive.slice('$deleteFromPrimitiveList/'.length)
  const list = merged[key]
  if (Array.isArray(list) && Array.isArray(values)) merged[key] = list.filter((item) => !values.includes(item))
}

function withoutDirectives(value: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith('$')))
}

/** RFC 6902: add, remove, replace, test. */
export function jsonPatch(target: unknown, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw badRequest('the body of a JSON patch is a list of operations')
  return operations.filter(isMap).reduce<unknown>(applyOperation, target)
}

function applyOperation(target: unknown, operation: JsonMap): unknown {
  const path = String(operation.path)
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return change(target, path, (container, key) => {
    if (isList(container)) return changeItem(container, key, operation)
    if (operation.op === 'test') return assertSame(container, container[key], operation)
    if (operation.op === 'remove') {
      if (!(key in container))
        throw unprocessable(`remove operation does not apply: doc is missing key: ${operation.path}`)
      const { [key]: _, ...rest } = container
      return rest
    }
    return { ...container, [key]: operation.value }
  })
}

function changeItem(list: readonly unknown[], key: string, operation: JsonMap): readonly unknown[] {
  const index = key === '-' ? list.length : Number(key)
  if (operation.op === 'test') return assertSame(list, list[index], operation)
  if (operation.op === 'remove') return list.filter((_, at) => at !== index)
  if (operation.op === 'add') return [...list.slice(0, index), operation.value, ...list.slice(index)]
  return list.map((item, at) => (at === index ? operation.value : item))
}

function assertSame<T>(container: T, value: unknown, operation: JsonMap): T {
  if (!sameJson(value, operation.value)) throw unprocessable(`testing value ${operation.path} failed`)
  return container
}

function change(
  value: unknown,
  [head = '', ...rest]: readonly string[],
  edit: (container: JsonMap | readonly unknown[], key: string) => unknown,
): unknown {
  if (!isMap(value) && !isList(value)) throw unprocessable(`doc is missing path: /${[head, ...rest].join('/')}`)
  if (rest.length === 0) return edit(value, head)
  if (isList(value)) return value.map((item, at) => (at === Number(head) ? change(item, rest, edit) : item))
  return { ...value, [head]: change(value[head], rest, edit) }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function unprocessable(message: string): StatusError {
  return new StatusError(422, 'Invalid', `the server rejected our request due to an error in our request: ${message}`)
}
