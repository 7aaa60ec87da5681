import { createHash } from 'node:crypto'
import { parse } from 'yaml'

/** A posted schematic, checked for unknown fields. */
export interface SimSchematic {
  readonly overlay?: { readonly image?: string; readonly name?: string; readonly options?: Fields }
  readonly customization?: {
    readonly extraKernelArgs?: readonly string[]
    readonly systemExtensions?: { readonly officialExtensions?: readonly string[] }
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Field names in canonical order; a nested list for a field with fields of its own. */
interface Shape {
  readonly type: string
  readonly fields: Readonly<Record<string, Shape | 'any'>>
}

const shape: Shape = {
  type: 'schematic.Schematic',
  fields: {
    overlay: { type: 'schematic.Overlay', fields: { image: 'any', name: 'any', options: 'any' } },
    customization: {
      type: 'schematic.Customization',
      fields: {
        embeddedMachineConfiguration: 'any',
        extraKernelArgs: 'any',
        meta: 'any',
        systemExtensions: { type: 'schematic.SystemExtensions', fields: { officialExtensions: 'any' } },
        bootloader: 'any',
        secureboot: {
          type: 'schematic.SecureBootCustomization',
          fields: { enrollKeys: 'any', includeWellKnownCertificates: 'any' },
        },
        diskImage: { type: 'schematic.DiskImageCustomization', fields: { sectorSize: 'any' } },
      },
    },
  },
}

/** Parses a posted body. Throws with the factory's message. */
export function readSchematic(body: string): SimSchematic {
  const value: unknown = parse(body)
  if (!isFields(value)) throw new Error('EOF')
  refuseUnknown(value, shape)
  return value
}

/** The text that the factory stores and hashes. */
export function canonicalText(schematic: SimSchematic): string {
  const ordered = inOrder(schematic as Fields, shape)
  return `${mapping({ ...ordered, customization: ordered.customization ?? {} }, 0).join('\n')}\n`
}

export function idOf(canonical: string): string {
  return createHash('sha256').update(canonical).digest('hex')
}

function refuseUnknown(value: Fields, { type, fields }: Shape): void {
  for (const [name, inner] of Object.entries(value)) {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (known === undefined) throw new Error(`yaml: unmarshal errors:\n  field ${name} not found in type ${type}`)
    if (known !== 'any' && isFields(inner)) refuseUnknown(inner, known)
  }
}

function inOrder(value: Fields, { fields }: Shape): Record<string, unknown> {
  const entries = Object.entries(fields).flatMap(([name, known]): [string, unknown][] => {
    const inner = value[name]
    const settled = known !== 'any' && isFields(inner) ? inOrder(inner, known) : inner
    return isEmpty(settled) ? [] : [[name, known === 'any' ? byName(settled) : settled]]
  })
  return Object.fromEntries(entries)
}

/** Free-form mappings are sorted; META entries keep `key` before `value`, which is sorted already. */
function byName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byName)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, byName(value[name])]),
  )
}

/** Lines relative to their own column; `column` is their final column, because values below a key align to fours. */
function mapping(value: Fields, column: number): string[] {
  if (Object.keys(value).length === 0) return ['{}']
  return Object.entries(value).flatMap(([name, inner]) => {
    const pad = ' '.repeat(4 - (column % 4))
    const lines = block(inner, column + pad.length)
    if (lines !== undefined) return [`${scalar(name)}:`, ...lines.map((line) => `${pad}${line}`)]
    const [first = '', ...rest] = scalar(inner).split('\n')
    return [`${scalar(name)}: ${first}`, ...rest.map((line) => `${pad}${line}`)]
  })
}

/** The lines of a value below its key; `undefined` for one on the same line. */
function block(value: unknown, column: number): string[] | undefined {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item) => listItem(item, column))
  if (isFields(value) && Object.keys(value).length > 0) return mapping(value, column)
  return undefined
}

function listItem(item: unknown, column: number): string[] {
  const [first = '', ...rest] = block(item, column + 2) ?? scalar(item).split('\n')
  return [`- ${first}`, ...rest.map((line) => `  ${line}`)]
}

/** Checks with a YAML reader whether the unquoted text is read back unchanged; if not, it is quoted. */
function scalar(value: unknown): string {
  if (typeof value !== 'string') return Array.isArray(value) ? '[]' : isFields(value) ? '{}' : String(value)
  if (value.includes('\n')) return literal(value)
  const bare = readBare(value, 'core')
  if (bare === null || typeof bare === 'number' || typeof bare === 'boolean') return JSON.stringify(value)
  if (value === '' || value.includes('\t')) return JSON.stringify(value)
  if (/^([%@`&]|---|\.\.\.)/.test(value)) return `'${value}'`
  return bare === value && readBare(value, 'yaml-1.1') === value ? value : `'${value.replaceAll("'", "''")}'`
}

function readBare(text: string, schema: 'core' | 'yaml-1.1'): unknown {
  try {
    const found: unknown = parse(`- ${text}`, { schema, logLevel: 'silent', merge: false })
    return Array.isArray(found) && found.length === 1 ? found[0] : undefined
  } catch {
    return undefined
  }
}

function literal(value: string): string {
  return `${value.endsWith('\n') ? '|' : '|-'}\n${value.replace(/\n$/, '')}`
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
