/** YAML data as plain values. */
export type ConfigValue = string | number | boolean | null | readonly ConfigValue[] | ConfigObject

export interface ConfigObject {
  readonly [key: string]: ConfigValue
}

/** Keeps the parts that have a value, in the given order: a section of a config with its optional parts. */
export function section(parts: Readonly<Record<string, ConfigValue | undefined>>): ConfigObject {
  return Object.fromEntries(
    Object.entries(parts).filter((part): part is [string, ConfigValue] => part[1] !== undefined),
  )
}

/** A list, or `undefined` if it is empty. */
export function listUnlessEmpty<Value extends ConfigValue>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length === 0 ? undefined : values
}

/** A map with sorted keys, so that the same spec gives the same bytes; `undefined` if it is empty. */
export function mapUnlessEmpty(map: Readonly<Record<string, ConfigValue>>): ConfigObject | undefined {
  const keys = Object.keys(map).sort()
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, map[key] ?? null]))
}

export function isConfigObject(value: ConfigValue | undefined): value is ConfigObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isConfigList(value: ConfigValue | undefined): value is readonly ConfigValue[] {
  return Array.isArray(value)
}
