import type { CertificateAndKey, SecretsBundle } from '../bundle.js'
import { SecretsError } from '../secrets-error.js'

interface State {
  readonly resources?: readonly {
    readonly module?: string
    readonly type?: string
    readonly name?: string
    readonly instances?: readonly { readonly index_key?: string | number; readonly attributes?: Attributes }[]
  }[]
}

interface Attributes {
  readonly machine_secrets?: {
    readonly certs?: Readonly<Record<string, { readonly cert?: string; readonly key?: string } | undefined>>
    readonly cluster?: { readonly id?: string; readonly secret?: string }
    readonly secrets?: Readonly<Record<string, string | null | undefined>>
    readonly trustdinfo?: { readonly token?: string }
  }
}

/** The bundle of a `talos_machine_secrets` resource in a Terraform or OpenTofu state file. */
export function bundleFromTerraform(text: string, where: string, wanted?: string): SecretsBundle {
  const found = secretsIn(parseState(text, where))
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
      fix: found.length === 0 ? 'Give the state that made the cluster.' : 'Choose one of them with --cluster.',
    },
  )
}

function parseState(text: string, where: string): State {
  try {
    return JSON.parse(text) as State
  } catch {
    throw new SecretsError('This file is not the JSON of a Terraform state: it was cut off or changed.', {
      where,
      fix: 'Give a whole state file, such as `terraform state pull` writes.',
    })
  }
}

function secretsIn({ resources = [] }: State): { address: string; attributes: Attributes }[] {
  return resources
    .filter(({ type }) => type === 'talos_machine_secrets')
    .flatMap(({ module, name = '', instances = [] }) =>
      instances.map(({ index_key, attributes = {} }) => {
        const index = index_key === undefined ? '' : `[${JSON.stringify(index_key)}]`
        return {
          address: `${module === undefined ? '' : `${module}.`}talos_machine_secrets.${name}${index}`,
          attributes,
        }
      }),
    )
}

function bundleOf({ machine_secrets: made = {} }: Attributes): SecretsBundle {
  const { certs = {}, cluster, secrets = {}, trustdinfo } = made
  const pair = (name: string): CertificateAndKey => ({ crt: certs[name]?.cert ?? '', key: certs[name]?.key ?? '' })
  const { bootstrap_token, secretbox_encryption_secret: secretbox, aescbc_encryption_secret: aescbc } = secrets
  return {
    cluster: { id: cluster?.id ?? '', secret: cluster?.secret ?? '' },
    secrets: {
      bootstraptoken: bootstrap_token ?? '',
      ...(aescbc ? { aescbcencryptionsecret: aescbc } : {}),
      ...(secretbox ? { secretboxencryptionsecret: secretbox } : {}),
    },
    trustdinfo: { token: trustdinfo?.token ?? '' },
    certs: {
      etcd: pair('etcd'),
      k8s: pair('k8s'),
      k8saggregator: pair('k8s_aggregator'),
      k8sserviceaccount: { key: certs.k8s_serviceaccount?.key ?? '' },
      os: pair('os'),
    },
  }
}
