import type { Document } from 'yaml'
import { isMap, isSeq, type YAMLMap, YAMLSeq } from 'yaml'
import type { SecretsBundle } from '../../secrets/bundle.js'
import { adminCertificate, type ClientCertificate } from './client-certificate.js'
import { formatConfig, freeName, openConfig, refuseOtherFiles, toBase64, unreadable } from './config-document.js'

/** The entries of one cluster in a kubeconfig. */
export interface KubernetesAccess {
  readonly clusterName: string
  /** `https://10.0.10.10:6443`. */
  readonly endpoint: string
  /** The name in the server's certificate, if a tunnel leads to it. */
  readonly serverName?: string
  /** `socks5://127.0.0.1:1080`, if the endpoint is reachable only through it. */
  readonly proxyUrl?: string
  readonly certificate: ClientCertificate
  /** The command that issues a short-lived certificate to kubectl, instead of storing one in the file. */
  readonly exec?: { readonly command: string; readonly args: readonly string[] }
}

/** An admin kubeconfig, made from the CA alone: no node is contacted. */
export async function adminKubeconfig(
  bundle: SecretsBundle,
  options: Omit<KubernetesAccess, 'certificate'> & { lifetimeHours: number; now: Date },
): Promise<{ text: string; certificate: ClientCertificate }> {
  const certificate = await adminCertificate(bundle, options)
  return { text: kubeconfig({ ...options, certificate }), certificate }
}

/** A kubeconfig with this one cluster, named as Talos names it. */
function kubeconfig(access: KubernetesAccess): string {
  return mergeKubeconfig(undefined, access, { where: 'kubeconfig' })
}

/** The user's kubeconfig with this cluster added or renewed; everything else stays, including comments. */
export function mergeKubeconfig(
  existing: string | undefined,
  access: KubernetesAccess,
  options: { where: string; makeCurrent?: boolean },
): string {
  const document = openConfig(existing, options.where)
  refuseOtherFiles(document, ['clusters', 'contexts', 'users', 'current-context'], options.where)
  const user = `admin@${access.clusterName}`
  if (!document.has('apiVersion')) document.set('apiVersion', 'v1')
  if (!document.has('kind')) document.set('kind', 'Config')
  const put = (list: string, name: string, field: string, value: Fields) =>
    putEntry(document, getList(document, list, options.where), name, field, value)
  put('clusters', access.clusterName, 'cluster', {
    server: access.endpoint,
    ...(access.serverName === undefined ? {} : { 'tls-server-name': access.serverName }),
    ...(access.proxyUrl === undefined ? {} : { 'proxy-url': access.proxyUrl }),
    'certificate-authority-data': toBase64(access.certificate.ca),
  })
  put('users', user, 'user', loginOf(access))
  put('contexts', user, 'context', { cluster: access.clusterName, namespace: 'default', user })
  if (options.makeCurrent === true || !document.get('current-context')) document.set('current-context', user)
  return formatConfig(document, existing)
}

/** Our values in an entry; `undefined` removes what another kind of access left there. */
type Fields = Readonly<Record<string, unknown>>

function loginOf({ certificate, exec }: KubernetesAccess): Fields {
  if (exec === undefined) {
    return {
      'client-certificate-data': toBase64(certificate.crt),
      'client-key-data': toBase64(certificate.key),
      exec: undefined,
    }
  }
  return {
    'client-certificate-data': undefined,
    'client-key-data': undefined,
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      ...exec,
      interactiveMode: 'IfAvailable',
      installHint: 'ichor makes the certificate: npm install --global @ichor-talos/ichor',
    },
  }
}

/** The cluster's name in a user's file: with `-1`, `-2` and so on if the name is used for another CA. */
export function clusterNameFor(existing: string | undefined, access: KubernetesAccess, where: string): string {
  const document = openConfig(existing, where)
  const clusters = document.get('clusters')
  const ca = toBase64(access.certificate.ca)
  return freeName(access.clusterName, (name) => {
    const known = isSeq(clusters) ? clusters.items.find((item) => isNamed(item, name)) : undefined
    return known === undefined || (isMap(known) && known.getIn(['cluster', 'certificate-authority-data']) === ca)
  })
}

/** The admin client certificate of a cluster as PEM, to check its expiry. */
export function findAdminCertificate(text: string, clusterName: string, where: string): string | undefined {
  const users = openConfig(text, where).get('users')
  const entry = isSeq(users) ? users.items.find((item) => isNamed(item, `admin@${clusterName}`)) : undefined
  const data = isMap(entry) ? entry.getIn(['user', 'client-certificate-data']) : undefined
  return typeof data === 'string' ? Buffer.from(data, 'base64').toString() : undefined
}

function getList(document: Document, name: string, where: string): YAMLSeq {
  const found = document.get(name)
  if (isSeq(found)) {
    found.flow = false
    return found
  }
  if (found !== undefined && found !== null) throw unreadable(where)
  const made = new YAMLSeq()
  document.set(name, made)
  return made
}

/** Renews our fields and keeps what the user added to the entry. */
function putEntry(document: Document, list: YAMLSeq, name: string, field: string, value: Fields): void {
  const known = list.items.find((item) => isNamed(item, name))
  const inside = isMap(known) ? known.get(field) : undefined
  const given = Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))
  if (isMap(inside)) {
    for (const [key, one] of Object.entries(value)) {
      if (one === undefined) inside.delete(key)
      else inside.set(key, document.createNode(one))
    }
  } else if (isMap(known)) known.set(field, document.createNode(given))
  else list.add(document.createNode({ name, [field]: given }))
}

function isNamed(item: unknown, name: string): item is YAMLMap {
  return isMap(item) && item.get('name') === name
}
