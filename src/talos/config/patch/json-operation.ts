import { isDeepStrictEqual } from 'node:util'
import { type ConfigObject, type ConfigValue, isConfigList, isConfigObject } from '../config-value.js'

/** One operation of RFC 6902. */
export interface Operation {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: ConfigValue
}

/** Why an operation does not apply, as the end of a sentence. */
export class OperationFails extends Error {}

/** The config after one operation. */
export function applyOperation(config: ConfigValue, { op, path, from, value }: Operation): ConfigValue {
  const at = parts(path)
  switch (op) {
    case 'add':
      return change(config, at, (holder, key) => put(holder, key, value ?? null, 'add'))
    case 'replace':
      return change(config, at, (holder, key) => put(holder, key, value ?? null, 'replace'))
    case 'remove':
      return change(config, at, remove)
    case 'move': {
      const moved = get(config, parts(from ?? ''))
      const removed = change(config, parts(from ?? ''), remove)
      return change(removed, at, (holder, key) => put(holder, key, moved, 'add'))
    }
    case 'copy':
      return change(config, at, (holder, key) => put(holder, key, get(config, parts(from ?? '')), 'add'))
    case 'test':
      if (!isDeepStrictEqual(find(config, at) ?? null, value ?? null))
        throw new OperationFails('the value there is another one')
      return config
    default:
      throw new OperationFails(`${op} is not an operation`)
  }
}

function parts(pointer: string): string[] {
  if (!pointer.startsWith('/')) throw new OperationFails('its path does not begin with /')
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function change(
  value: ConfigValue,
  [key = '', ...rest]: readonly string[],
  last: (holder: ConfigValue, key: string) => ConfigValue,
): ConfigValue {
  if (rest.length === 0) return last(value, key)
  const inner = change(get(value, [key]), rest, last)
  return put(value, key, inner, 'replace')
}

function get(value: ConfigValue, path: readonly string[]): ConfigValue {
  const found = find(value, path)
  if (found === undefined) throw new OperationFails(`there is no ${path.join('/')}`)
  return found
}

function find(value: ConfigValue | undefined, [key, ...rest]: readonly string[]): ConfigValue | undefined {
  if (key === undefined || value === undefined) return value
  if (isConfigList(value)) return find(value[indexIn(value, key, value.length)], rest)
  return isConfigObject(value) ? find(value[key], rest) : undefined
}

/** Replacing a missing key of a map adds it, as in Talos's library. */
function put(holder: ConfigValue, key: string, value: ConfigValue, how: 'add' | 'replace'): ConfigValue {
  if (isConfigObject(holder)) {
    return { ...holder, [key]: value }
  }
  if (!isConfigList(holder)) throw new OperationFails(`${key} has no parent`)
  if (how === 'replace') return holder.with(indexIn(holder, key, holder.length), value)
  if (key === '-') return [...holder, value]
  return holder.toSpliced(indexIn(holder, key, holder.length + 1), 0, value)
}

function remove(holder: ConfigValue, key: string): ConfigValue {
  if (isConfigList(holder)) return holder.toSpliced(indexIn(holder, key, holder.length), 1)
  if (!isConfigObject(holder) || !(key in holder)) throw new OperationFails(`there is no ${key}`)
  const { [key]: _, ...others }: ConfigObject = holder
  return others
}

/** Talos's library counts a negative index from the end. */
function indexIn(list: readonly ConfigValue[], key: string, limit: number): number {
  const index = /^-?\d+$/.test(key) ? Number(key) : Number.NaN
  const real = index < 0 ? index + limit : index
  if (Number.isNaN(real) || real < 0 || real >= limit)
    throw new OperationFails(`there is no ${key} in a list of ${list.length}`)
  return real
}
