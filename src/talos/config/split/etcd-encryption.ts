import type { SecretsBundle } from '../../../secrets/bundle.js'
import type { ConfigObject } from '../config-value.js'
import { newDocument } from '../documents/new-document.js'

/** How secrets lie in etcd. Names and order of the keys are those of older styles, so that what they wrote can still be read. */
export function etcdEncryption({ secrets }: SecretsBundle): ConfigObject {
  const providers = [
    ...provider('secretbox', 'key2', secrets.secretboxencryptionsecret),
    ...provider('aescbc', 'key1', secrets.aescbcencryptionsecret),
  ]
  return newDocument('KubeEtcdEncryptionConfig', { config: { resources: [{ providers, resources: ['secrets'] }] } })
}

function provider(cipher: string, name: string, secret: string | undefined): ConfigObject[] {
  return secret === undefined ? [] : [{ [cipher]: { keys: [{ name, secret }] } }]
}
