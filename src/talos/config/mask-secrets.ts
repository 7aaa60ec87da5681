import { isConfigObject } from './config-value.js'
import { kindOf, readConfig } from './read-config.js'
import { withoutSecrets } from './secret-fields.js'
import { toYamlStream } from './yaml-text.js'

/** The config with every secret masked, safe to show and to share, and what was masked. Comments are removed. */
export function maskSecrets(config: string): { readonly text: string; readonly secrets: readonly string[] } {
  const secrets: string[] = []
  const documents = readConfig(config, 'machine config')
  const masked = documents.map((document) =>
    withoutSecrets(kindOf(document), document, (secret) => secrets.push(String(secret))),
  )
  return { text: toYamlStream(masked.filter(isConfigObject)), secrets }
}
