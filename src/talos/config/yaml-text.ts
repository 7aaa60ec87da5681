import { type ConfigObject, type ConfigValue, isConfigList, isConfigObject } from './config-value.js'

/**
 * Documents as one YAML stream. Custom, because a thousand configs must be written in seconds and always with the same
 * bytes.
 */
export function toYamlStream(documents: readonly ConfigObject[]): string {
  return documents.map((document) => `${toYaml(document)}\n`).join('---\n')
}

/** One value as block-style YAML, without a final newline. */
export function toYaml(value: ConfigValue): string {
  return `${inline(value, '') ?? block(value, '')}`
}

/** A non-empty map or list, one line per entry; the first line is placed by the caller, the others at the indent. */
function block(value: ConfigValue, indent: string): string {
  const lines = isConfigList(value)
    ? value.map((item) => `- ${inline(item, indent) ?? block(item, `${indent}  `)}`)
    : Object.entries(isConfigObject(value) ? value : {}).map(([key, inner]) => entry(key, inner, indent))
  return lines.join(`\n${indent}`)
}

function entry(key: string, value: ConfigValue, indent: string): string {
  const short = inline(value, indent)
  const deeper = `${indent}  `
  return `${scalarText(key)}:${short === undefined ? `\n${deeper}${block(value, deeper)}` : ` ${short}`}`
}

/** Values without lines below: scalars, empty collections, and the start of a literal block. */
function inline(value: ConfigValue, indent: string): string | undefined {
  if (isConfigList(value)) return value.length === 0 ? '[]' : undefined
  if (isConfigObject(value)) return Object.keys(value).length === 0 ? '{}' : undefined
  return literalText(value, `${indent}  `) ?? scalarText(value)
}

/** Multi-line text is a literal block if a literal block can represent it exactly. */
function literalText(value: ConfigValue, indent: string): string | undefined {
  if (typeof value !== 'string' || !value.includes('\n')) return undefined
  const body = value.endsWith('\n') ? value.slice(0, -1) : value
  const fits = /^[^\s]/.test(body) && !/[ \t\n]$|[ \t]\n/.test(body) && /^[\t\n\x20-\x7e\u00a0-\ud7ff]*$/.test(body)
  if (!fits) return undefined
  const lines = body.split('\n').map((line) => (line === '' ? '' : `${indent}${line}`))
  return [body === value ? '|-' : '|', ...lines].join('\n')
}

function scalarText(value: ConfigValue): string {
  if (typeof value !== 'string') return String(value)
  return isPlain(value) ? value : JSON.stringify(value)
}

const plainText = /^[A-Za-z/][A-Za-z0-9 _./+=@%~:-]*$/
const notPlainText = /: |:$| $|^e\d|^(?:true|false|null|yes|no|on|off|y|n)$/i

/** Plain only if every YAML 1.1 or 1.2 reader reads this exact string. */
function isPlain(text: string): boolean {
  return plainText.test(text) && !notPlainText.test(text)
}
