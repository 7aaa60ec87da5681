import { type ConfigObject, type ConfigValue, isConfigList, isConfigObject } from './config-value.js'

/** Documents as one YAML stream. Written by hand, since a thousand configs must come out in seconds and always with the same bytes. */
export function toYamlStream(documents: readonly ConfigObject[]): string {
  return documents.map((document) => `${toYaml(document)}\n`).join('---\n')
}

/** One value as block-style YAML, without a final newline. */
export function toYaml(value: ConfigValue): string {
  return lines(value).join('\n')
}

function lines(value: ConfigValue): string[] {
  if (isConfigObject(value)) {
    const keys = Object.keys(value)
    return keys.length === 0 ? ['{}'] : keys.flatMap((key) => entryLines(`${scalarText(key)}:`, value[key] ?? null))
  }
  if (isConfigList(value)) return value.length === 0 ? ['[]'] : value.flatMap(itemLines)
  return blockText(value) ?? [scalarText(value)]
}

function entryLines(head: string, value: ConfigValue): string[] {
  if (isFilled(value)) return [head, ...lines(value).map(indented)]
  const [first = '', ...rest] = lines(value)
  return [`${head} ${first}`, ...rest.map(indented)]
}

function itemLines(value: ConfigValue): string[] {
  const [first = '', ...rest] = lines(value)
  return [`- ${first}`, ...rest.map(indented)]
}

function isFilled(value: ConfigValue): boolean {
  if (isConfigList(value)) return value.length > 0
  return isConfigObject(value) && Object.keys(value).length > 0
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`
}

/** Multi-line text stays readable as a literal block where a literal block can hold it exactly. */
function blockText(value: ConfigValue): string[] | undefined {
  if (
    typeof value !== 'string' ||
    !/^[^\s][\s\S]*\n[\s\S]*$/.test(value) ||
    !/^[\t\n\x20-\x7e\u00a0-\ud7ff]*$/.test(value)
  )
    return undefined
  const body = value.replace(/\n+$/, '')
  const newlines = value.length - body.length
  if (newlines > 1 || body === '' || /[ \t]$/m.test(body)) return undefined
  return [newlines === 1 ? '|' : '|-', ...body.split('\n')]
}

function scalarText(value: ConfigValue): string {
  if (typeof value !== 'string') return String(value)
  return isPlain(value) ? value : JSON.stringify(value)
}

/** Plain only where every YAML reader, 1.1 or 1.2, sees this very string. */
function isPlain(text: string): boolean {
  return (
    /^[A-Za-z/][A-Za-z0-9 _./+=@%~:-]*$/.test(text) && !/: |:$| $|^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
  )
}
