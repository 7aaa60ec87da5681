import type { Rule } from './endpoints.js'

export type PropertyString = Readonly<Record<string, string>>

/** Parses `key=value,…` by its format; aliases become their keys. Returns a string if it is invalid. */
export function parsePropertyString(format: Readonly<Record<string, Rule>>, text: string): PropertyString | string {
  const parsed: Record<string, string> = {}
  const defaultKey = Object.keys(format).find((key) => format[key]?.default_key === 1)
  for (const part of text.split(',')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const isKeyed = /^[^=]+=/.test(part) && /^[\w-]+$/.test(part.slice(0, equals))
    if (!isKeyed) {
      if (part.includes('=') && defaultKey === undefined) return `invalid key in comma-separated list property: ${part}`
      if (defaultKey === undefined) return `value without key, but schema does not define a default key`
      if (parsed[defaultKey] !== undefined) return `duplicate key in comma-separated list property: ${defaultKey}`
      parsed[defaultKey] = part
      continue
    }
    const problem = take(parsed, format, part.slice(0, equals), part.slice(equals + 1))
    if (problem !== undefined) return problem
  }
  return parsed
}

function take(
  parsed: Record<string, string>,
  format: Readonly<Record<string, Rule>>,
  name: string,
  value: string,
): string | undefined {
  const rule = format[name]
  const key = rule?.alias ?? name
  if (rule?.keyAlias !== undefined) {
    if (parsed[rule.keyAlias] !== undefined) return `duplicate key in comma-separated list property: ${rule.keyAlias}`
    parsed[rule.keyAlias] = name
  }
  if (parsed[key] !== undefined) return `duplicate key in comma-separated list property: ${key}`
  parsed[key] = value
  return undefined
}
