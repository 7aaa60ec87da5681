import { isMapping, type MachineConfig, type Mapping } from './documents.js'
import { type ConfigReader, findText, mappingsOf, pemOf, readerOf, textMapOf, textOr, textsOf } from './read-values.js'

interface PemPair {
  readonly crt: string
  /** Empty on workers. */
  readonly key: string
}

/** The facts in a complete config about the machine and its cluster, in either style. */
export interface ConfigFacts {
  readonly role: 'controlplane' | 'worker'
  readonly token: string
  readonly osCa: PemPair
  readonly acceptedOsCas: readonly string[]
  readonly certSans: readonly string[]
  readonly clusterName: string
  readonly clusterId: string
  /** A kubelet registers with it. */
  readonly bootstrapToken: string
  readonly endpoint: string
  readonly apiPort: number
  readonly etcdCa: PemPair
  readonly etcdImage: string | undefined
  readonly kubernetesCa: PemPair
  readonly acceptedKubernetesCas: readonly string[]
  /** PEM texts; the key is empty on workers. */
  readonly serviceAccount: { readonly key: string; readonly acceptedKeys: readonly string[]; readonly issuer: string }
  /** As the API server reads it. */
  readonly etcdEncryption: Mapping | undefined
  readonly apiServerSans: readonly string[]
  readonly podSubnets: readonly string[]
  readonly serviceSubnets: readonly string[]
  readonly cni: 'flannel' | 'none' | 'custom'
  readonly kubeProxy: boolean
  readonly inlineManifests: readonly { readonly name: string; readonly contents: string }[]
  readonly images: Readonly<Record<KubernetesComponent, string | undefined>>
  readonly discovery: boolean
  readonly adminCertLifetimeHours: number
}

type KubernetesComponent = 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kube-proxy' | 'kubelet'

export function factsOf(config: MachineConfig): ConfigFacts {
  const reader = readerOf(config)
  return { ...machineFacts(reader), ...clusterFacts(reader), ...kubernetesFacts(reader) }
}

/** Where each component's image is set: document kind, then the path in v1alpha1. */
const componentImages: Readonly<Record<KubernetesComponent, readonly [kind: string, path: string]>> = {
  'kube-apiserver': ['KubeAPIServerConfig', 'cluster.apiServer.image'],
  'kube-controller-manager': ['KubeControllerManagerConfig', 'cluster.controllerManager.image'],
  'kube-scheduler': ['KubeSchedulerConfig', 'cluster.scheduler.image'],
  'kube-proxy': ['KubeProxyConfig', 'cluster.proxy.image'],
  kubelet: ['KubeletConfig', 'machine.kubelet.image'],
}

/** `v1.36.3` of `ghcr.io/siderolabs/kubelet:v1.36.3-slim`. */
export function versionOfImage(image: string | undefined): string | undefined {
  return /:(v\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?)/.exec(image ?? '')?.[1]
}

function machineFacts(reader: ConfigReader) {
  return {
    role: reader.v1('machine.type') === 'worker' ? ('worker' as const) : ('controlplane' as const),
    token: textOr(reader.v1('machine.token'), ''),
    osCa: pairOf(reader.v1('machine.ca')),
    acceptedOsCas: mappingsOf(reader.v1('machine.acceptedCAs')).map((entry) => pemOf(entry.crt)),
    certSans: textsOf(reader.v1('machine.certSANs')),
  }
}

function clusterFacts(reader: ConfigReader) {
  const discovery =
    reader.document('DiscoveryServiceConfig') !== undefined || reader.v1('cluster.discovery.enabled') === true
  return {
    clusterName: textOr(reader.either('KubeClusterConfig', 'clusterName', 'cluster.clusterName'), ''),
    clusterId: textOr(reader.either('DiscoveryIdentityConfig', 'clusterID', 'cluster.id'), ''),
    bootstrapToken: textOr(reader.v1('cluster.token'), ''),
    endpoint: textOr(reader.either('KubeClusterConfig', 'endpoint', 'cluster.controlPlane.endpoint'), ''),
    apiPort: Number(reader.either('KubeAPIServerConfig', 'apiPort', 'cluster.controlPlane.localAPIServerPort') ?? 6443),
    etcdCa: pairOf(reader.v1('cluster.etcd.ca')),
    etcdImage: findText(reader.v1('cluster.etcd.image')),
    discovery,
    adminCertLifetimeHours: hoursOf(reader.v1('cluster.adminKubeconfig.certLifetime')) ?? 8760,
  }
}

function kubernetesFacts(reader: ConfigReader) {
  const authority = reader.document('KubeAPIServerCAConfig')
  const oldAccepted = mappingsOf(reader.v1('cluster.acceptedCAs')).map((entry) => pemOf(entry.crt))
  return {
    kubernetesCa: authority === undefined ? pairOf(reader.v1('cluster.ca')) : newPairOf(authority.issuingCA),
    acceptedKubernetesCas: authority === undefined ? oldAccepted : textsOf(authority.acceptedCAs),
    serviceAccount: serviceAccountOf(reader),
    etcdEncryption: etcdEncryptionOf(reader),
    apiServerSans: textsOf(reader.either('KubeAPIServerConfig', 'certExtraSANs', 'cluster.apiServer.certSANs')),
    podSubnets: subnets(
      reader.either('KubeNetworkConfig', 'podSubnets', 'cluster.network.podSubnets'),
      '10.244.0.0/16',
    ),
    serviceSubnets: subnets(
      reader.either('KubeNetworkConfig', 'serviceSubnets', 'cluster.network.serviceSubnets'),
      '10.96.0.0/12',
    ),
    cni: cniOf(reader),
    kubeProxy: reader.v1('cluster.proxy.disabled') !== true && reader.document('KubeProxyConfig')?.enabled !== false,
    inlineManifests: inlineManifestsOf(reader),
    images: imagesOf(reader),
  }
}

function serviceAccountOf(reader: ConfigReader): ConfigFacts['serviceAccount'] {
  const fresh = reader.document('KubeServiceAccountConfig')
  const old = reader.v1('cluster.serviceAccount')
  const issuer = isMapping(fresh?.issuer) ? fresh.issuer : {}
  const accepted = isMapping(fresh?.accepted) ? fresh.accepted : {}
  if (fresh === undefined)
    return {
      key: isMapping(old) ? pemOf(old.key) : '',
      acceptedKeys: [],
      issuer: textOr(reader.either('KubeClusterConfig', 'endpoint', 'cluster.controlPlane.endpoint'), ''),
    }
  return {
    key: textOr(issuer.privateKey, ''),
    acceptedKeys: textsOf(accepted.publicKeys),
    issuer: textOr(issuer.issuerURL, ''),
  }
}

/** The old style has one key, and Talos chooses its name. */
function etcdEncryptionOf(reader: ConfigReader): Mapping | undefined {
  const fresh = reader.document('KubeEtcdEncryptionConfig')?.config
  if (isMapping(fresh)) return fresh
  const secretbox = findText(reader.v1('cluster.secretboxEncryptionSecret'))
  const aescbc = findText(reader.v1('cluster.aescbcEncryptionSecret'))
  const providers = [
    ...(secretbox === undefined ? [] : [{ secretbox: { keys: [{ name: 'key2', secret: secretbox }] } }]),
    ...(aescbc === undefined ? [] : [{ aescbc: { keys: [{ name: 'key1', secret: aescbc }] } }]),
  ]
  return providers.length === 0 ? undefined : { resources: [{ providers, resources: ['secrets'] }] }
}

function imagesOf(reader: ConfigReader): ConfigFacts['images'] {
  const image = (component: KubernetesComponent) => {
    const [kind, path] = componentImages[component]
    return findText(reader.either(kind, 'image', path))
  }
  return {
    'kube-apiserver': image('kube-apiserver'),
    'kube-controller-manager': image('kube-controller-manager'),
    'kube-scheduler': image('kube-scheduler'),
    'kube-proxy': image('kube-proxy'),
    kubelet: image('kubelet'),
  }
}

/** In the new style no Flannel document means no CNI; in the old one, Flannel is the default. */
function cniOf(reader: ConfigReader): ConfigFacts['cni'] {
  if (reader.document('KubeNetworkConfig') !== undefined || reader.document('KubeClusterConfig') !== undefined) {
    if (reader.documents('KubeExternalManifestConfig').some(({ name }) => name === 'custom-cni')) return 'custom'
    return reader.document('KubeFlannelCNIConfig') === undefined ? 'none' : 'flannel'
  }
  const name = reader.v1('cluster.network.cni.name')
  return name === 'none' || name === 'custom' ? name : 'flannel'
}

function inlineManifestsOf(reader: ConfigReader): { name: string; contents: string }[] {
  const old = mappingsOf(reader.v1('cluster.inlineManifests')).map((entry) => ({
    name: textOr(entry.name, ''),
    contents: textOr(entry.contents, ''),
  }))
  const fresh = reader
    .documents('KubeInlineManifestConfig')
    .map(({ name = '', body }) => ({ name, contents: textOr(body.manifest, '') }))
  return [...old, ...fresh]
}

/** The labels and taints with which this machine's kubelet registers. */
export function nodeFactsOf(config: MachineConfig) {
  const reader = readerOf(config)
  const role = reader.v1('machine.type') === 'worker' ? 'worker' : 'controlplane'
  const fresh = reader.document('KubeNodeConfig')
  const args = reader.either('KubeletConfig', 'extraArgs', 'machine.kubelet.extraArgs')
  const schedulable =
    reader.v1('cluster.allowSchedulingOnControlPlanes') === true ||
    reader.v1('cluster.allowSchedulingOnMasters') === true
  const implied = role === 'controlplane' && fresh === undefined
  const controlPlane = 'node-role.kubernetes.io/control-plane'
  return {
    labels: {
      ...(implied ? { [controlPlane]: '' } : {}),
      ...textMapOf(fresh?.labels ?? reader.v1('machine.nodeLabels')),
    },
    annotations: textMapOf(fresh?.annotations ?? reader.v1('machine.nodeAnnotations')),
    taints: taintsOf({
      ...(implied && !schedulable ? { [controlPlane]: 'NoSchedule' } : {}),
      ...textMapOf(fresh?.taints ?? reader.v1('machine.nodeTaints')),
    }),
    userVolumes: reader.documents('UserVolumeConfig').flatMap(({ name }) => (name === undefined ? [] : [name])),
    externalCloudProvider: reader.v1('cluster.externalCloudProvider.enabled') === true,
    rotateServerCertificates: isMapping(args) && String(args['rotate-server-certificates']) === 'true',
    registers: (fresh?.skipNodeRegistration ?? reader.v1('machine.kubelet.skipNodeRegistration')) !== true,
  }
}

/** `value:Effect`, or the effect alone. */
function taintsOf(taints: Readonly<Record<string, string>>) {
  return Object.entries(taints).map(([key, text]) => {
    const cut = text.lastIndexOf(':')
    return cut < 0 ? { key, effect: text } : { key, value: text.slice(0, cut), effect: text.slice(cut + 1) }
  })
}

function pairOf(value: unknown): PemPair {
  return isMapping(value) ? { crt: pemOf(value.crt), key: pemOf(value.key) } : { crt: '', key: '' }
}

function newPairOf(value: unknown): PemPair {
  return isMapping(value) ? { crt: textOr(value.cert, ''), key: textOr(value.key, '') } : { crt: '', key: '' }
}

function subnets(value: unknown, fallback: string): string[] {
  const given = textsOf(value)
  return given.length === 0 ? [fallback] : given
}

function hoursOf(value: unknown): number | undefined {
  const match = /^(\d+)h/.exec(typeof value === 'string' ? value : '')
  return match === null ? undefined : Number(match[1])
}
