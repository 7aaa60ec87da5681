import { isConfigObject } from './config-value.js'
import { kindOf, readConfig } from './read-config.js'
import { withoutSecrets } from './secret-fields.js'
import { toYamlStream } from './yaml-text.js'

/** The config with every secret masked: fit to be shown, and to be sent to somebody. */
export function maskSecrets(text: string): string {
  const documents = readConfig(text, 'machine config')
  return toYamlStream(documents.map((document) => withoutSecrets(kindOf(document), document)).filter(isConfigObject))
}
