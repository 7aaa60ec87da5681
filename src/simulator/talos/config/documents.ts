import { gunzipSync } from 'node:zlib'
import { LineCounter, parseAllDocuments } from 'yaml'

export type Mapping = Readonly<Record<string, unknown>>

/** One document other than v1alpha1. */
export interface ConfigDocument {
  readonly kind: string
  readonly name?: string
  readonly body: Mapping
  /** As Talos names it in errors: `v1alpha1/HostnameConfig/ (line 5)`. */
  readonly place: string
}

/** A machine config as the node parses it, with its text. */
export interface MachineConfig {
  readonly text: string
  /** Missing in a partial config: the node then stays in maintenance. */
  readonly v1alpha1?: Mapping
  /** Of v1alpha1. */
  readonly place?: string
  readonly documents: readonly ConfigDocument[]
}

/** Why a config cannot be parsed; the message is Talos's response. */
export class ConfigUnreadable extends Error {}

/** Splits the YAML stream into documents. Fails on what Talos cannot decode: syntax, no kind, duplicates. */
export function parseMachineConfig(bytes: Uint8Array): MachineConfig {
  const text = textOf(bytes)
  const lines = new LineCounter()
  const placed = parseAllDocuments(text, { uniqueKeys: true, lineCounter: lines }).flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) throw new ConfigUnreadable(`decode error: yaml: ${error.message}`)
    const body: unknown = document.toJS()
    const { line } = lines.linePos(document.contents?.range?.[0] ?? 0)
    return body === null || body === undefined ? [] : [placedDocument(body, line)]
  })
  if (placed.length === 0) throw new ConfigUnreadable('config not found')
  refuseDuplicates(placed)
  const legacy = placed.find(({ body }) => !('kind' in body) && isLegacy(body))
  const documents = placed.filter((one) => one !== legacy).map(documentOf)
  return { text, documents, ...(legacy === undefined ? {} : { v1alpha1: legacy.body, place: placeOf(legacy) }) }
}

/** The value at a dotted path; `undefined` if the path ends early. */
export function at(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isMapping(value) ? value[key] : undefined), body)
}

export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function findDocument(config: MachineConfig, kind: string): Mapping | undefined {
  return config.documents.find((document) => document.kind === kind)?.body
}

function textOf(bytes: Uint8Array): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  return Buffer.from(isGzip ? gunzipSync(bytes) : bytes).toString('utf8')
}

interface Placed {
  readonly body: Mapping
  /** `v1alpha1/HostnameConfig/`. */
  readonly id: string
  readonly line: number
}

function placedDocument(body: unknown, line: number): Placed {
  if (!isMapping(body)) throw new ConfigUnreadable(`expected a YAML document at line ${line}`)
  const [version, kind, name] = [body.apiVersion, body.kind, body.name].map((value) =>
    typeof value === 'string' ? value : '',
  )
  return { body, line, id: `${version}/${kind === '' ? 'v1alpha1' : kind}/${name}` }
}

function placeOf({ id, line }: Placed): string {
  return `${id} (line ${line})`
}

function isLegacy(body: Mapping): boolean {
  return ['machine', 'cluster', 'debug', 'persist'].some((key) => key in body) || body.version === 'v1alpha1'
}

function documentOf(placed: Placed): ConfigDocument {
  const { body } = placed
  const place = placeOf(placed)
  if (typeof body.kind !== 'string') throw new ConfigUnreadable(`error decoding document ${place}: missing kind`)
  if (typeof body.apiVersion !== 'string')
    throw new ConfigUnreadable(`error decoding document ${place}: missing apiVersion`)
  const name = typeof body.name === 'string' ? { name: body.name } : {}
  return { kind: body.kind, body, place, ...name }
}

function refuseDuplicates(documents: readonly Placed[]): void {
  const seen = new Set<string>()
  for (const { id, line } of documents) {
    if (seen.has(id)) throw new ConfigUnreadable(`duplicate document ${id} is not allowed (line ${line})`)
    seen.add(id)
  }
}
