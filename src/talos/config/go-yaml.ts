/**
 * Writes YAML byte for byte like Go's yaml package with its defaults, as talosctl does; the factory hashes such a text,
 * so every quote counts. Mappings keep their order.
 */
export function goYaml(value: Readonly<Record<string, unknown>>): string {
  return `${formatMap(value, 0)}\n`
}

const indentWidth = 4

function formatMap(map: Readonly<Record<string, unknown>>, indent: number): string {
  const entries = Object.entries(map).map(
    ([key, value]) => `${formatString(key, indent)}:${formatField(value, indent)}`,
  )
  return entries.length === 0 ? '{}' : entries.join(`\n${' '.repeat(indent)}`)
}

/** Values below a key align to the next multiple of the indentation. */
function formatField(value: unknown, indent: number): string {
  const inner = indentWidth * Math.floor((indent + indentWidth) / indentWidth)
  if (isMap(value) && Object.keys(value).length > 0) return `\n${' '.repeat(inner)}${formatMap(value, inner)}`
  if (Array.isArray(value) && value.length > 0) return `\n${' '.repeat(inner)}${formatList(value, inner)}`
  return ` ${formatScalar(value, inner)}`
}

/** A mapping in a list starts after the dash, and its other lines align with its first key. */
function formatList(list: readonly unknown[], indent: number): string {
  const items = list.map((item) => {
    if (isMap(item) && Object.keys(item).length > 0) return `- ${formatMap(item, indent + 2)}`
    if (Array.isArray(item) && item.length > 0) return `- ${formatList(item, indent + 2)}`
    return `- ${formatScalar(item, indent + 2)}`
  })
  return items.join(`\n${' '.repeat(indent)}`)
}

/** `indent` is the indentation of the lines of a multi-line text. */
function formatScalar(value: unknown, indent: number): string {
  if (typeof value === 'string') return formatString(value, indent)
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return '[]'
  return isMap(value) ? '{}' : String(value)
}

function formatString(text: string, indent: number): string {
  const traits = traitsOf(text)
  if (text.includes('\n') && text.trim() !== '' && traits.blockAllowed) return formatLiteral(text, indent)
  if (readsAsAnotherType(text) || text.includes('\n')) return quoteDouble(text)
  if (traits.plainAllowed && !oldReadersDiffer(text)) return text
  return traits.singleAllowed ? `'${text.replaceAll("'", "''")}'` : quoteDouble(text)
}

interface Traits {
  readonly plainAllowed: boolean
  readonly singleAllowed: boolean
  readonly blockAllowed: boolean
}

function traitsOf(text: string): Traits {
  const hasSpecials = /[^\n\t\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u.test(text)
  const touchesBreak = / \n/.test(text)
  const hasIndicator =
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^[-?:](\s|$)/.test(text) ||
    /^(---|\.\.\.)/.test(text) ||
    /:(\s|$)|\s#/.test(text)
  const isPadded = /^[ \n]|[ \n]$/.test(text)
  return {
    plainAllowed: !hasIndicator && !isPadded && !text.includes('\t') && !hasSpecials && !text.includes('\n'),
    singleAllowed: !text.includes('\t') && !hasSpecials && !touchesBreak && !/\n /.test(text),
    blockAllowed: !hasSpecials && !touchesBreak && !text.endsWith(' '),
  }
}

const words = /^(true|True|TRUE|false|False|FALSE|null|Null|NULL|~|)$/
const notFinite = /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/
const floats = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/
const integers = /^[-+]?(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|\d+)$/
const timestamps =
  /^\d{4}-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\d|3[01])([Tt]\d{1,2}:\d{1,2}:\d{1,2}(\.\d+)?(Z|[-+]\d{2}:\d{2})| \d{1,2}:\d{1,2}:\d{1,2}(\.\d+)?)?$/

/** Whether the unquoted text would be read back as another type. */
function readsAsAnotherType(text: string): boolean {
  return [words, notFinite, timestamps].some((form) => form.test(text)) || isNumber(text)
}

/** Underscores between digits are ignored, and a number too large for a float is not a number. */
function isNumber(text: string): boolean {
  const bare = /^[._]/.test(text) ? text : text.replaceAll('_', '')
  return integers.test(bare) || (floats.test(bare) && Number.isFinite(Number(bare)))
}

const oldBooleans = /^(y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/
const sexagesimals = /^[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?$/

/** A string today that was a boolean, a number or a merge key in YAML 1.1. */
function oldReadersDiffer(text: string): boolean {
  return oldBooleans.test(text) || sexagesimals.test(text) || text === '<<'
}

function formatLiteral(text: string, indent: number): string {
  const hint = text.startsWith(' ') ? String(indentWidth) : ''
  const chomp = text.endsWith('\n\n') || text === '\n' ? '+' : text.endsWith('\n') ? '' : '-'
  const lines = text.replace(/\n$/, '').split('\n')
  const body = lines.map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`))
  return [`|${hint}${chomp}`, ...body].join('\n')
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\x85': '\\N',
  '\ufeff': '\\uFEFF',
}

function quoteDouble(text: string): string {
  return `"${[...text].map((char) => escapes[char] ?? escapeUnusual(char)).join('')}"`
}

function escapeUnusual(char: string): string {
  const code = char.codePointAt(0) ?? 0
  const hex = (digits: number) => code.toString(16).toUpperCase().padStart(digits, '0')
  if (code > 0xffff) return `\\U${hex(8)}`
  return code < 0x20 || code === 0x7f ? `\\x${hex(2)}` : char
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
