import { gunzipSync } from 'node:zlib'
import { parseAllDocuments } from 'yaml'

export type Mapping = Readonly<Record<string, unknown>>

/** One document other than v1alpha1. */
export interface ConfigDocument {
  readonly kind: string
  readonly name?: string
  readonly body: Mapping
}

/** A machine config as the node parses it, with its text. */
export interface MachineConfig {
  readonly text: string
  /** Missing in a partial config: the node then stays in maintenance. */
  readonly v1alpha1?: Mapping
  readonly documents: readonly ConfigDocument[]
}

/** Why a config cannot be parsed; the message is Talos's response. */
export class ConfigUnreadable extends Error {}

/** Splits the YAML stream into documents. Fails on what Talos cannot decode: syntax, no kind, duplicates. */
export function parseMachineConfig(bytes: Uint8Array): MachineConfig {
  const text = textOf(bytes)
  const bodies = parseAllDocuments(text, { uniqueKeys: true }).flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) throw new ConfigUnreadable(`failed to decode config: ${error.message}`)
    const body: unknown = document.toJS()
    return body === null || body === undefined ? [] : [mappingOf(body)]
  })
  const legacy = bodies.filter((body) => !('kind' in body) && isLegacy(body))
  if (legacy.length > 1) throw new ConfigUnreadable('not allowed: duplicate document v1alpha1')
  const documents = bodies.filter((body) => !legacy.includes(body)).map(documentOf)
  refuseDuplicates(documents)
  const [v1alpha1] = legacy
  return { text, documents, ...(v1alpha1 === undefined ? {} : { v1alpha1 }) }
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

function mappingOf(body: unknown): Mapping {
  if (isMapping(body)) return body
  throw new ConfigUnreadable('failed to decode config: a document is not a mapping')
}

function isLegacy(body: Mapping): boolean {
  return ['machine', 'cluster', 'debug', 'persist'].some((key) => key in body) || body.version === 'v1alpha1'
}

function documentOf(body: Mapping): ConfigDocument {
  if (typeof body.kind !== 'string') throw new ConfigUnreadable('missing kind')
  if (typeof body.apiVersion !== 'string') throw new ConfigUnreadable('missing apiVersion')
  const name = typeof body.name === 'string' ? { name: body.name } : {}
  return { kind: body.kind, body, ...name }
}

function refuseDuplicates(documents: readonly ConfigDocument[]): void {
  const seen = new Set<string>()
  for (const { kind, name = '' } of documents) {
    const key = `${kind}/${name}`
    if (seen.has(key)) throw new ConfigUnreadable(`not allowed: duplicate document ${kind} ${name}`.trimEnd())
    seen.add(key)
  }
}
