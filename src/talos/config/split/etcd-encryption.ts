import type { SecretsBundle } from '../../../secrets/bundle.js'
import type { ConfigObject } from '../config-value.js'
import { newDocument } from '../documents/new-document.js'

/**
 * How secrets lie in etcd. Names and order of the keys are those of older styles, so that what they wrote can still be read.
 * The first key writes, and every one of them reads: one that takes the place of another keeps its name, since the bundle
 * has no room for names, and API servers try all keys of a name.
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
