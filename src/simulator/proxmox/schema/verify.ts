import { badParameters } from '../api-error.js'
import type { Endpoint, Rule } from './endpoints.js'
import { formatProblem, isList } from './formats.js'
import { cpuProblem, namedFormats } from './named-formats.js'
import { type PropertyString, parsePropertyString } from './property-string.js'

/** The verified parameters of a call. Every value is text, as in the original; arrays stay arrays. */
export type Parameters = Readonly<Record<string, string | readonly string[]>>

const counts: Record<string, number> = {
  ide: 4,
  sata: 6,
  scsi: 31,
  virtio: 16,
  net: 32,
  hostpci: 16,
  usb: 14,
  serial: 4,
  parallel: 3,
  numa: 8,
  ipconfig: 32,
  unused: 256,
  virtiofs: 10,
}

const undefinedProperty = 'property is not defined in schema and the schema does not allow additional properties'

/** The rule for a parameter, including numbered ones such as `scsi12`. */
export function ruleFor(endpoint: Endpoint, name: string): Rule | undefined {
  const exact = endpoint.rules.get(name)
  if (exact !== undefined) return exact
  const [, base = '', digits = ''] = /^([a-z]+)(0|[1-9]\d*)$/.exec(name) ?? []
  return Number(digits) < (counts[base] ?? 0) ? endpoint.numbered.get(base) : undefined
}

/** Checks every parameter against its rule and reports all errors at once. */
export function verifyParameters(endpoint: Endpoint, given: Readonly<Record<string, unknown>>): Parameters {
  const errors: Record<string, string> = {}
  const verified: Record<string, string | readonly string[]> = {}
  for (const [name, raw] of Object.entries(given)) {
    if (raw === undefined || raw === null) continue
    const rule = ruleFor(endpoint, name)
    if (rule === undefined || !isInPlay(rule, given)) {
      if (endpoint.open) verified[name] = String(raw)
      else errors[name] = undefinedProperty
      continue
    }
    const value = unwrap(raw, rule)
    const problem = valueProblem(value, rule, name) ?? descriptionProblem(endpoint, name, value)
    if (problem !== undefined) errors[name] = problem
    else verified[name] = toText(value)
  }
  for (const [name, rule] of endpoint.rules) {
    if (!isInPlay(rule, given)) continue
    if (given[name] === undefined || given[name] === null) {
      if (rule.optional !== 1) errors[name] = 'property is missing and it is not optional'
    } else if (rule.requires !== undefined && (given[rule.requires] === undefined || given[rule.requires] === null)) {
      errors[rule.requires] =
        endpoint.pve === 8
          ? `missing property - '${name}' requires this property`
          : `missing property required by '${name}'`
    }
  }
  if (Object.keys(errors).length > 0) throw badParameters(errors)
  return verified
}

function isInPlay({ only }: Rule, given: Readonly<Record<string, unknown>>): boolean {
  return only?.includes(String(given.type)) ?? true
}

const longestDescription = 8192

/** Missing in the schema's dump. */
function descriptionProblem({ path }: Endpoint, name: string, value: unknown): string | undefined {
  const isVm = name === 'description' && /\/qemu(\/\{vmid\}\/config)?$/.test(path)
  return isVm && String(value).length > longestDescription
    ? `value may only be ${longestDescription} characters long`
    : undefined
}

/** A list may be an array and is joined; a single value counts as an array of one. */
function unwrap(raw: unknown, rule: Rule): unknown {
  if (Array.isArray(raw) && typeof rule.format === 'string' && isList(rule.format)) return raw.join(',')
  if (rule.type === 'array' && !Array.isArray(raw)) return [raw]
  return raw
}

function toText(value: unknown): string | readonly string[] {
  if (Array.isArray(value)) return value.map((item) => toText(item) as string)
  if (typeof value === 'boolean') return value ? '1' : '0'
  return String(value)
}

function got(value: unknown): string {
  if (Array.isArray(value)) return 'ARRAY'
  return typeof value === 'object' ? 'HASH' : `'${String(value)}'`
}

/** What is wrong with one value, as the original words it; `undefined` if nothing is. */
function valueProblem(value: unknown, rule: Rule, name: string): string | undefined {
  const type = rule.type ?? 'string'
  if (type === 'array') return arrayProblem(value, rule, name)
  if (typeof value === 'object') return `type check ('${type}') failed - got ${got(value)}`
  const text = toText(value) as string
  if (type === 'null') return 'value must be null'
  if (type === 'integer' && !/^[+-]?\d+$/.test(text)) return `type check ('integer') failed - got '${text}'`
  if (type === 'number' && !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text))
    return `type check ('number') failed - got '${text}'`
  if (type === 'boolean' && !/^[01]$/.test(text)) return `type check ('boolean') failed - got '${text}'`
  return textProblem(text, rule, name)
}

function arrayProblem(value: unknown, rule: Rule, name: string): string | undefined {
  if (!Array.isArray(value)) return `type check ('array') failed - got ${got(value)}`
  for (const item of value) {
    const problem = valueProblem(item, rule.items ?? {}, name)
    if (problem !== undefined) return problem
  }
  return undefined
}

function textProblem(text: string, rule: Rule, name: string): string | undefined {
  const format = rule.format === undefined ? undefined : checkFormat(text, rule.format, name)
  if (format !== undefined) return `invalid format - ${format}\n`
  if (rule.pattern !== undefined && !new RegExp(`^(?:${portable(rule.pattern)})$`).test(text))
    return 'value does not match the regex pattern'
  if (rule.maxLength !== undefined && text.length > rule.maxLength)
    return `value may only be ${rule.maxLength} characters long`
  if (rule.minLength !== undefined && text.length < rule.minLength)
    return `value must be at least ${rule.minLength} characters long`
  if (rule.enum !== undefined && !rule.enum.map(String).includes(text))
    return `value '${text}' does not have a value in the enumeration '${rule.enum.join(', ')}'`
  if (rule.minimum !== undefined && Number(text) < Number(rule.minimum))
    return `value must have a minimum value of ${rule.minimum}`
  if (rule.maximum !== undefined && Number(text) > Number(rule.maximum))
    return `value must have a maximum value of ${rule.maximum}`
  return undefined
}

/** Perl regular expressions, as far as the schema uses syntax that differs in JavaScript. */
function portable(pattern: string): string {
  return pattern
    .replace(/^\(\?\^?[a-z]*:(.*)\)$/s, '$1')
    .replaceAll('(?^:', '(?:')
    .replaceAll('(?^i:', '(?:')
    .replaceAll('[[:alnum:]]', '[A-Za-z0-9]')
    .replaceAll('\\Z', '$')
}

function checkFormat(text: string, format: NonNullable<Rule['format']>, name: string): string | undefined {
  const keys = typeof format === 'string' ? namedFormats[format] : format
  if (format === 'pve-vm-cpu-conf') return cpuProblem(text)
  if (keys === undefined) return formatProblem(String(format), text, name)
  const parsed = verifyPropertyString(keys, text, name)
  return typeof parsed === 'string' ? parsed : undefined
}

/** The parsed value, or what is wrong with it. */
export function verifyPropertyString(
  format: Readonly<Record<string, Rule>>,
  text: string,
  name: string,
): PropertyString | string {
  const parsed = parsePropertyString(format, text)
  if (typeof parsed === 'string') return parsed
  const problems: string[] = []
  for (const [key, value] of Object.entries(parsed)) {
    const rule = format[key]
    const problem = rule === undefined ? undefinedProperty : valueProblem(innerValue(value, rule), rule, key)
    if (problem !== undefined) problems.push(`${name}.${key}: ${problem}`)
  }
  for (const [key, rule] of Object.entries(format)) {
    if (rule.alias !== undefined) continue
    if (parsed[key] === undefined && rule.optional !== 1)
      problems.push(`${name}.${key}: property is missing and it is not optional`)
    else if (parsed[key] !== undefined && rule.requires !== undefined && parsed[rule.requires] === undefined)
      problems.push(`${name}.${rule.requires}: missing property - '${name}.${key}' requires this property`)
  }
  return problems.length === 0 ? parsed : `format error\n${problems.join('\n')}`
}

/** Inside property strings a boolean may also be spelled as a word. */
function innerValue(value: string, rule: Rule): string {
  if (rule.type !== 'boolean') return value
  if (/^(1|on|yes|true)$/i.test(value)) return '1'
  return /^(0|off|no|false)$/i.test(value) ? '0' : value
}
