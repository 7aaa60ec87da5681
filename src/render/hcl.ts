/** A value as Terraform writes it. */
export type HclValue = string | number | boolean | readonly string[] | undefined

/** One line of a block; none for a value that is not set. */
export function attribute(name: string, value: HclValue): string[] {
  return value === undefined ? [] : [`${name} = ${valueText(value)}`]
}

/** A nested block; none without content. */
export function block(head: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${head} {`, ...lines.map((line) => (line === '' ? '' : `  ${line}`)), '}']
}

function valueText(value: Exclude<HclValue, undefined>): string {
  if (typeof value === 'string') return quoted(value)
  return Array.isArray(value) ? `[${value.map(quoted).join(', ')}]` : String(value)
}

/** A string that is never a template, whatever is in it. */
export function quoted(text: string): string {
  return JSON.stringify(text)
    .replaceAll('\\b', '\\u0008')
    .replaceAll('\\f', '\\u000c')
    .replaceAll('${', () => '$${')
    .replaceAll('%{', '%%{')
}
