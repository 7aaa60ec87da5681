import type { SecretsBundle } from '../../../secrets/bundle.js'
import type { ConfigObject } from '../config-value.js'
import { newDocument } from '../documents/new-document.js'

/**
 * Encryption of secrets in etcd. Names and order of the keys match older contracts, so that existing data stays
 * readable. The first key encrypts, and all of them decrypt. A replacement keeps the name of the old key, because the
 * bundle does not store names and API servers try all keys with a name.
 */
export function etcdEncryption({ secrets, accepted }: SecretsBundle): ConfigObject {
  const providers = [
    ...provider('secretbox', 'key2', [secrets.secretboxencryptionsecret, ...(accepted?.secretbox ?? [])]),
    ...provider('aescbc', 'key1', [secrets.aescbcencryptionsecret]),
  ]
  return newDocument('KubeEtcdEncryptionConfig', { config: { resources: [{ providers, resources: ['secrets'] }] } })
}

function provider(cipher: string, name: string, secrets: readonly (string | undefined)[]): ConfigObject[] {
  const keys = secrets.flatMap((secret) => (secret === undefined ? [] : [{ name, secret }]))
  return keys.length === 0 ? [] : [{ [cipher]: { keys } }]
}
