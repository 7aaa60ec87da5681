import { at, type ConfigDocument, findDocument, isMapping, type MachineConfig, type Mapping } from './documents.js'

/** Access to both styles of a config: an old path in v1alpha1, or a key of a newer document. */
export interface ConfigReader {
  v1(path: string): unknown
  document(kind: string): Mapping | undefined
  documents(kind: string): readonly ConfigDocument[]
  /** The first that is set: the key of the document, then the old path. */
  either(kind: string, key: string, path: string): unknown
}

export function readerOf(config: MachineConfig): ConfigReader {
  const v1 = (path: string) => at(config.v1alpha1, path)
  const document = (kind: string) => findDocument(config, kind)
  return {
    v1,
    document,
    documents: (kind) => config.documents.filter((entry) => entry.kind === kind),
    either: (kind, key, path) => at(document(kind), key) ?? v1(path),
  }
}

export function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback
}

export function findText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

export function mappingsOf(value: unknown): Mapping[] {
  return Array.isArray(value) ? value.filter(isMapping) : []
}

export function textMapOf(value: unknown): Record<string, string> {
  if (!isMapping(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, String(item ?? '')]))
}

/** v1alpha1 has PEM in base64, newer documents as text. */
export function pemOf(value: unknown): string {
  const text = textOr(value, '')
  if (text === '' || text.startsWith('-----')) return text
  return Buffer.from(text, 'base64').toString('utf8')
}
