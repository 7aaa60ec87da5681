import type { CertificateAndKey, SecretsBundle } from '../bundle.js'
import { SecretsError } from '../secrets-error.js'

type Fields = Readonly<Record<string, unknown>>

/** The bundle of a `talos_machine_secrets` resource in a Terraform or OpenTofu state file. */
export function bundleFromTerraform(text: string, where: string, wanted?: string): SecretsBundle {
  const found = resourcesIn(text, where).filter(({ type }) => type === 'talos_machine_secrets')
  const fitting = wanted === undefined ? found : found.filter(({ address }) => address === wanted)
  const [only, ...more] = fitting
  if (only !== undefined && more.length === 0) return bundleOf(only.attributes)
  const addresses = found.map(({ address }) => address).join(', ')
  const problem =
    found.length === 0
      ? 'This state holds no talos_machine_secrets.'
      : `This state holds the secrets of several clusters: ${addresses}.`
  throw new SecretsError(
    wanted === undefined ? problem : `This state holds no ${wanted}, but: ${addresses || 'none'}.`,
    {
      where,
      fix: found.length === 0 ? 'Use the state that created the cluster.' : 'Choose one of them with --cluster.',
    },
  )
}

/** One instance of a resource or a data source. */
export interface StateResource {
  /** `module.talos.talos_machine_secrets.this["dev"]`. */
  readonly address: string
  readonly type: string
  /** Not a data source. */
  readonly isManaged: boolean
  readonly attributes: Fields
}

/** The resources in the text of a state file. */
export function resourcesIn(text: string, where: string): StateResource[] {
  return listOf(parseState(text, where).resources).flatMap(({ module, mode, type, name, instances }) =>
    listOf(instances).map(({ index_key, attributes }) => {
      const index = index_key === undefined ? '' : `[${JSON.stringify(index_key)}]`
      const isManaged = mode !== 'data'
      const parts = [textOf(module), isManaged ? '' : 'data', textOf(type), `${textOf(name)}${index}`]
      return {
        address: parts.filter((part) => part !== '').join('.'),
        type: textOf(type),
        isManaged,
        attributes: fieldsOf(attributes),
      }
    }),
  )
}

/** The top level of a state file. */
export function parseState(text: string, where: string): Fields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    throw new SecretsError('This file is not the JSON of a Terraform state: it was cut off or changed.', {
      where,
      fix: 'Use a complete state file, as written by `terraform state pull`.',
    })
  }
}

function bundleOf({ machine_secrets }: Fields): SecretsBundle {
  const made = fieldsOf(machine_secrets)
  const certs = fieldsOf(made.certs)
  const cluster = fieldsOf(made.cluster)
  const secrets = fieldsOf(made.secrets)
  const pair = (name: string): CertificateAndKey => {
    const { cert, key } = fieldsOf(certs[name])
    return { crt: textOf(cert), key: textOf(key) }
  }
  const secretbox = textOf(secrets.secretbox_encryption_secret)
  const aescbc = textOf(secrets.aescbc_encryption_secret)
  return {
    cluster: { id: textOf(cluster.id), secret: textOf(cluster.secret) },
    secrets: {
      bootstraptoken: textOf(secrets.bootstrap_token),
      ...(aescbc === '' ? {} : { aescbcencryptionsecret: aescbc }),
      ...(secretbox === '' ? {} : { secretboxencryptionsecret: secretbox }),
    },
    trustdinfo: { token: textOf(fieldsOf(made.trustdinfo).token) },
    certs: {
      etcd: pair('etcd'),
      k8s: pair('k8s'),
      k8saggregator: pair('k8s_aggregator'),
      k8sserviceaccount: { key: pair('k8s_serviceaccount').key },
      os: pair('os'),
    },
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
