/** Fields of a Proxmox response: Perl decides per value whether it is a number or a string, and omits what is unset. */
export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

export function findText(fields: Fields, key: string): string | undefined {
  const value = fields[key]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
}

export function text(fields: Fields, key: string): string {
  return findText(fields, key) ?? ''
}

export function findNumber(fields: Fields, key: string): number | undefined {
  const value = fields[key]
  if (value === undefined || value === null || value === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

export function number(fields: Fields, key: string): number {
  return findNumber(fields, key) ?? 0
}

export function flag(fields: Fields, key: string): boolean {
  return fields[key] === true || findNumber(fields, key) === 1
}

/** A list in a string, separated by commas, semicolons or white space, in any order. */
export function words(fields: Fields, key: string): string[] {
  return text(fields, key)
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
}

/** `{ key: value }`, or nothing if there is no value: for optional properties. */
export function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V })
}
