import { createHash, createPublicKey } from 'node:crypto'
import { type ClusterKey, clusterKeys } from '../../cluster/cluster-key.js'
import { type ConfigValue, isConfigList, isConfigObject } from './config-value.js'
import { kindOf, readConfig } from './read-config.js'

/** The keys that a node with the first config uses, and that one with the second would neither use nor accept. */
export function findForeignKeys(active: string, wanted: string): ClusterKey[] {
  const [before, after] = [keysIn(active, 'the config that is'), keysIn(wanted, 'the config that is wanted')]
  return clusterKeys.filter((key) => isForeign(before[key], after[key]))
}

/** A worker has no CA of its own: one that it trusts is enough. */
function isForeign(before: Fingerprints, after: Fingerprints): boolean {
  const known = new Set([...after.used, ...after.accepted])
  const needed = before.used.length > 0 ? before.used : before.accepted
  return needed.length > 0 && known.size > 0 && !needed.some((print) => known.has(print))
}

/** Of one key: keys are never compared themselves. */
interface Fingerprints {
  /** One, or none. */
  readonly used: readonly string[]
  readonly accepted: readonly string[]
}

function keysIn(text: string, where: string): Readonly<Record<ClusterKey, Fingerprints>> {
  const documents = readConfig(text, where)
  const find = (path: string) => {
    const [kind = '', ...keys] = path.split(' ')
    return valueAt(
      documents.find((document) => kindOf(document) === kind),
      keys.join('.'),
    )
  }
  const texts = (...paths: string[]) => paths.flatMap((path) => textsIn(find(path)))
  const decoded = (...paths: string[]) => texts(...paths).map((base64) => Buffer.from(base64, 'base64').toString())
  const certificates = (path: string) => listIn(find(path)).flatMap((entry) => textsIn(valueAt(entry, 'crt')))
  const encryption = encryptionKeys(find)
  const one = (...used: string[]) => fingerprints(used)
  return {
    'talos-ca': fingerprints(decoded('v1alpha1 machine.ca.crt'), certificates('v1alpha1 machine.acceptedCAs').map(pem)),
    'kubernetes-ca': fingerprints(
      [...decoded('v1alpha1 cluster.ca.crt'), ...texts('KubeAPIServerCAConfig issuingCA.cert')],
      [...certificates('v1alpha1 cluster.acceptedCAs').map(pem), ...texts('KubeAPIServerCAConfig acceptedCAs')],
    ),
    'service-account-key': fingerprints(
      [...decoded('v1alpha1 cluster.serviceAccount.key'), ...texts('KubeServiceAccountConfig issuer.privateKey')].map(
        publicKey,
      ),
      texts('KubeServiceAccountConfig accepted.publicKeys').map(publicKey),
    ),
    'etcd-encryption-key': fingerprints(encryption.slice(0, 1), encryption.slice(1)),
    'etcd-ca': one(...decoded('v1alpha1 cluster.etcd.ca.crt')),
    'aggregator-ca': one(
      ...decoded('v1alpha1 cluster.aggregatorCA.crt'),
      ...texts('KubeAggregatorCAConfig issuingCA.cert'),
    ),
    'bootstrap-token': one(...texts('v1alpha1 cluster.token')),
    'trustd-token': one(...texts('v1alpha1 machine.token')),
    'cluster-id': one(...texts('v1alpha1 cluster.id', 'DiscoveryIdentityConfig clusterID')),
    'cluster-secret': one(...texts('v1alpha1 cluster.secret', 'DiscoveryIdentityConfig clusterSecret')),
  }
}

/** In the order in which an API server tries them: it writes with the first. */
function encryptionKeys(find: (path: string) => ConfigValue | undefined): string[] {
  const classic = ['secretbox', 'aescbc'].flatMap((cipher) =>
    textsIn(find(`v1alpha1 cluster.${cipher}EncryptionSecret`)),
  )
  const rules = listIn(find('KubeEtcdEncryptionConfig config.resources'))
  const forSecrets = rules.find((rule) => textsIn(valueAt(rule, 'resources')).includes('secrets'))
  const keys = listIn(valueAt(forSecrets, 'providers')).flatMap((provider) =>
    Object.values(isConfigObject(provider) ? provider : {}).flatMap((options) => listIn(valueAt(options, 'keys'))),
  )
  return [...classic, ...keys.flatMap((key) => textsIn(valueAt(key, 'secret')))]
}

function fingerprints(used: readonly string[], accepted: readonly string[] = []): Fingerprints {
  return { used: used.slice(0, 1).map(fingerprint), accepted: accepted.map(fingerprint) }
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text.trim()).digest('hex')
}

function pem(base64: string): string {
  return Buffer.from(base64, 'base64').toString()
}

/** Of a private or public key; nodes accept tokens by public keys. */
function publicKey(text: string): string {
  try {
    return createPublicKey(text).export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return text
  }
}

function valueAt(value: ConfigValue | undefined, path: string): ConfigValue | undefined {
  return path
    .split('.')
    .reduce<ConfigValue | undefined>((found, key) => (isConfigObject(found) ? found[key] : undefined), value)
}

function textsIn(value: ConfigValue | undefined): string[] {
  return [...listIn(value), value].flatMap((text) => (typeof text === 'string' && text !== '' ? [text] : []))
}

function listIn(value: ConfigValue | undefined): readonly ConfigValue[] {
  return isConfigList(value) ? value : []
}
