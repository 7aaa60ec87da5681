import { parseAllDocuments } from 'yaml'
import { itemsOf, recordOf } from './object-fields.js'

/** The etcd encryption settings of a machine config; `undefined` if it has none. */
export function findEtcdEncryption(config: string): unknown {
  const documents = parseAllDocuments(config)
  const found = (Array.isArray(documents) ? documents : [])
    .map((document): unknown => document.toJS())
    .find((document) => recordOf(document).kind === 'KubeEtcdEncryptionConfig')
  return found === undefined ? undefined : recordOf(found).config
}

/** The keys that encrypt Secrets and nothing else, the writing one first; `undefined` for any other setup. */
export function findSecretboxKeys(encryption: unknown): string[] | undefined {
  const [rule, ...more] = itemsOf(recordOf(encryption).resources)
  const [provider, ...others] = itemsOf(rule?.providers)
  const isForSecretsOnly = Array.isArray(rule?.resources) && rule.resources.join() === 'secrets'
  const secretbox = provider?.secretbox
  if (more.length > 0 || others.length > 0 || !isForSecretsOnly || secretbox === undefined) return undefined
  return itemsOf(recordOf(secretbox).keys).map(({ secret }) => String(secret))
}
