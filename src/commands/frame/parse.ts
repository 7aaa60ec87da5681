import { parseArgs } from 'node:util'
import { UsageError } from '../../errors.js'
import { findNearest } from '../../nearest.js'
import type { ArgSpec, Command, Positional } from './define-command.js'

export interface Parsed {
  readonly help: boolean
  readonly args: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
}

/** The words after a command, checked against its arguments. */
export function parseCommandLine(words: readonly string[], command: Command, where: string): Parsed {
  const raw = tokens(words, command, where)
  if (raw.values.help === true) return { help: true, args: {}, positionals: [] }
  const args: Record<string, unknown> = {}
  for (const [key, spec] of Object.entries(command.args))
    args[key] = argValue(key, spec, raw.values[flagName(key)], where)
  checkPositionals(raw.positionals, command, where)
  return { help: false, args, positionals: raw.positionals }
}

/** `exitCode` is typed as `--exit-code`. */
export function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

type RawValue = string | boolean | (string | boolean)[] | undefined

function tokens(words: readonly string[], command: Command, where: string) {
  const options: Record<string, { type: 'boolean' | 'string'; short?: string; multiple?: boolean }> = {
    help: { type: 'boolean', short: 'h' },
  }
  for (const [key, spec] of Object.entries(command.args)) {
    options[flagName(key)] = {
      type: spec.type === 'flag' ? 'boolean' : 'string',
      ...('short' in spec && spec.short !== undefined ? { short: spec.short } : {}),
      ...(spec.type === 'list' ? { multiple: true } : {}),
    }
  }
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true, strict: true })
    return { values: values as Record<string, RawValue>, positionals }
  } catch (error) {
    throw misunderstood(error, Object.keys(options), where)
  }
}

function misunderstood(error: unknown, known: readonly string[], where: string): UsageError {
  const text = error instanceof Error ? error.message : String(error)
  const unknown = /Unknown option '(-{1,2}[^']+)'/.exec(text)?.[1]
  if (unknown === undefined) return new UsageError(inOurWords(text), { where, fix: `See ${where} --help.` })
  const near = findNearest(unknown.replace(/^-+/, ''), known)
  return new UsageError(`There is no option ${unknown}.`, {
    where,
    fix: near === undefined ? `See ${where} --help.` : `Did you mean --${near}? ${where} --help lists them all.`,
  })
}

/** Rewords the errors of Node.js's parser about an option and its value. */
function inOurWords(text: string): string {
  const option = /Option '(?:-\w, )?(--[\w-]+|-\w)/.exec(text)?.[1] ?? 'The option'
  if (/ambiguous/.test(text)) return `${option} needs a value, and what follows looks like another option.`
  if (/argument missing/.test(text)) return `${option} needs a value.`
  if (/does not take an argument/.test(text)) return `${option} takes no value.`
  return 'The command line cannot be read.'
}

function argValue(key: string, spec: ArgSpec, raw: RawValue, where: string): unknown {
  switch (spec.type) {
    case 'flag':
      return raw === true
    case 'list':
      return raw ?? []
    case 'number':
      return raw === undefined ? spec.default : numberOf(key, spec, String(raw), where)
    case 'choice':
      return raw === undefined ? spec.default : choiceOf(key, String(raw), spec.choices, where)
    case 'text':
      return raw ?? spec.default
  }
}

type NumberSpec = Extract<ArgSpec, { type: 'number' }>

function numberOf(key: string, spec: NumberSpec, text: string, where: string): number {
  const value = Number(text)
  const { min = 0, max = Number.POSITIVE_INFINITY, integer = false } = spec
  if (/^\d+(\.\d+)?$/.test(text) && value >= min && value <= max && (!integer || Number.isInteger(value))) return value
  throw new UsageError(`--${flagName(key)} must be ${kindOfNumber(spec)}, got ${JSON.stringify(text)}.`, {
    where,
    fix: `See ${where} --help.`,
  })
}

function kindOfNumber({ min, max, integer }: NumberSpec): string {
  const bounds = [min === undefined ? [] : [`from ${min}`], max === undefined ? [] : [`up to ${max}`]].flat()
  return [integer ? 'a whole number' : 'a number', ...bounds].join(' ')
}

function choiceOf(key: string, text: string, choices: readonly string[], where: string): string {
  if (choices.includes(text)) return text
  throw new UsageError(`--${flagName(key)} must be one of ${choices.join(', ')}, got ${JSON.stringify(text)}.`, {
    where,
    fix: `See ${where} --help.`,
  })
}

function refuseOtherWords({ name, choices }: Positional, word: string | undefined, where: string): void {
  const known = choices?.map((choice) => choice.word)
  if (known === undefined || word === undefined || known.includes(word)) return
  const near = findNearest(word, known)
  throw new UsageError(`There is no ${name} ${JSON.stringify(word)}.`, {
    where,
    fix: near === undefined ? `See ${where} --help.` : `Did you mean ${near}? ${where} --help lists them all.`,
  })
}

function checkPositionals(given: readonly string[], { positionals }: Command, where: string): void {
  const missing = positionals.find((positional, index) => positional.required && given[index] === undefined)
  if (missing !== undefined) {
    throw new UsageError(`${missing.name.toUpperCase()} is missing: ${missing.help}.`, {
      where,
      fix: `See ${where} --help.`,
    })
  }
  for (const [index, positional] of positionals.entries()) refuseOtherWords(positional, given[index], where)
  const extra = positionals.some((positional) => positional.rest) ? undefined : given[positionals.length]
  if (extra !== undefined) {
    throw new UsageError(`${JSON.stringify(extra)} is not expected here.`, { where, fix: `See ${where} --help.` })
  }
}
