import { parseAllDocuments } from 'yaml'
import { ConfigError } from './config-error.js'
import { type ConfigObject, isConfigObject } from './config-value.js'

/** The documents of a config text. */
export function readConfig(text: string, where: string): ConfigObject[] {
  const documents = parseAllDocuments(text)
  const parsed = Array.isArray(documents) ? documents : []
  const error = parsed.flatMap(({ errors }) => errors)[0]
  if (error !== undefined) throw notYaml(`${where}:${error.linePos?.[0].line ?? 1}`)
  try {
    return parsed.map((document) => document.toJS()).filter(isConfigObject)
  } catch {
    // An unresolved alias.
    throw notYaml(where)
  }
}

function notYaml(where: string): ConfigError {
  return new ConfigError('This machine config is not YAML.', {
    where,
    fix: 'Read it from the node again, or render it again.',
  })
}

/** `v1alpha1` for the document without a kind. */
export function kindOf(document: ConfigObject): string {
  return typeof document.kind === 'string' ? document.kind : 'v1alpha1'
}

/** The title of a document: its kind, and its name if it has one. */
export function titleOf(document: ConfigObject): string {
  return typeof document.name === 'string' ? `${kindOf(document)} ${document.name}` : kindOf(document)
}
