import { parseAllDocuments } from 'yaml'
import { itemsOf, recordOf } from './object-fields.js'

/** How API servers encrypt what they keep in etcd, as the document of a machine config says it; nothing where it has none. */
export function findEtcdEncryption(config: string): unknown {
  const documents = parseAllDocuments(config)
  const found = (Array.isArray(documents) ? documents : [])
    .map((document): unknown => document.toJS())
    .find((document) => recordOf(document).kind === 'KubeEtcdEncryptionConfig')
  return found === undefined ? undefined : recordOf(found).config
}

/** The keys that Secrets, and nothing else, are encrypted with, the one that writes first; nothing where it is not as simple as that. */
export function findSecretboxKeys(encryption: unknown): string[] | undefined {
  const [rule, ...more] = itemsOf(recordOf(encryption).resources)
  const [provider, ...others] = itemsOf(rule?.providers)
  const isForSecretsOnly = Array.isArray(rule?.resources) && rule.resources.join() === 'secrets'
  const secretbox = provider?.secretbox
  if (more.length > 0 || others.length > 0 || !isForSecretsOnly || secretbox === undefined) return undefined
  return itemsOf(recordOf(secretbox).keys).map(({ secret }) => String(secret))
}
