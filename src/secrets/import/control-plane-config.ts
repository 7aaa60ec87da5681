import type { CertificateAndKey, SecretsBundle } from '../bundle.js'

type Document = Readonly<Record<string, unknown>>

/** The bundle of a control plane's config, in the single v1alpha1 document or in the split ones of 1.14. */
export function bundleFromControlPlane(documents: readonly Document[]): SecretsBundle {
  const main = documents.find((document) => document.machine !== undefined) ?? {}
  const kind = (name: string) => documents.find((document) => document.kind === name) ?? {}
  const { cluster, machine } = { cluster: main.cluster, machine: main.machine }
  const identity = kind('DiscoveryIdentityConfig')
  const encryption = encryptionSecrets(main.cluster, kind('KubeEtcdEncryptionConfig'))
  return {
    cluster: {
      id: text(cluster, 'id') ?? text(identity, 'clusterID') ?? '',
      secret: text(cluster, 'secret') ?? text(identity, 'clusterSecret') ?? '',
    },
    secrets: { bootstraptoken: text(cluster, 'token') ?? '', ...encryption },
    trustdinfo: { token: text(machine, 'token') ?? '' },
    certs: {
      etcd: pair(cluster, 'etcd', 'ca'),
      k8s: pairOr(pair(cluster, 'ca'), issuingCa(kind('KubeAPIServerCAConfig'))),
      k8saggregator: pairOr(pair(cluster, 'aggregatorCA'), issuingCa(kind('KubeAggregatorCAConfig'))),
      k8sserviceaccount: {
        key: text(cluster, 'serviceAccount', 'key') ?? pem(kind('KubeServiceAccountConfig'), 'issuer', 'privateKey'),
      },
      os: pair(machine, 'ca'),
    },
  }
}

function encryptionSecrets(cluster: unknown, document: Document): Partial<SecretsBundle['secrets']> {
  const secretbox = text(cluster, 'secretboxEncryptionSecret') ?? providerSecret(document, 'secretbox')
  const aescbc = text(cluster, 'aescbcEncryptionSecret') ?? providerSecret(document, 'aescbc')
  return {
    ...(aescbc === undefined ? {} : { aescbcencryptionsecret: aescbc }),
    ...(secretbox === undefined ? {} : { secretboxencryptionsecret: secretbox }),
  }
}

/** The first key of a provider in Kubernetes' EncryptionConfiguration. */
function providerSecret(document: Document, provider: string): string | undefined {
  for (const resource of list(document, 'config', 'resources')) {
    for (const entry of list(resource, 'providers')) {
      const secret = text(list(entry, provider, 'keys')[0], 'secret')
      if (secret !== undefined) return secret
    }
  }
  return undefined
}

function pair(value: unknown, ...path: string[]): CertificateAndKey {
  return { crt: text(value, ...path, 'crt') ?? '', key: text(value, ...path, 'key') ?? '' }
}

/** The split documents hold PEM text, and the bundle holds it in base64. */
function issuingCa(document: Document): CertificateAndKey {
  return { crt: pem(document, 'issuingCA', 'cert'), key: pem(document, 'issuingCA', 'key') }
}

function pairOr(one: CertificateAndKey, other: CertificateAndKey): CertificateAndKey {
  return one.crt === '' ? other : one
}

function pem(value: unknown, ...path: string[]): string {
  const found = text(value, ...path)
  return found === undefined ? '' : Buffer.from(found).toString('base64')
}

function text(value: unknown, ...path: string[]): string | undefined {
  const found = at(value, path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

function list(value: unknown, ...path: string[]): unknown[] {
  const found = at(value, path)
  return Array.isArray(found) ? found : []
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, name) => (isRecord(found) ? found[name] : undefined), value)
}

function isRecord(value: unknown): value is Document {
  return typeof value === 'object' && value !== null
}
