import { type ConfigObject, type ConfigValue, isConfigObject } from './config-value.js'
import { PatchError } from './patch/patch-error.js'
import type { Patch } from './talos-machine.js'

interface SaidTwice {
  readonly paths: readonly string[]
  readonly kinds: readonly string[]
  /** Only documents for which this holds. */
  readonly when?: (document: ConfigObject) => boolean
}

/**
 * What Talos refuses to have configured twice: a path of the v1alpha1 document, and the newer document kinds that set
 * the same.
 */
const saidTwice: readonly SaidTwice[] = [
  { paths: ['machine.network.hostname', 'machine.features.stableHostname'], kinds: ['HostnameConfig'] },
  {
    paths: ['machine.network.nameservers', 'machine.network.searchDomains', 'machine.network.disableSearchDomain'],
    kinds: ['ResolverConfig'],
  },
  { paths: ['machine.time.servers'], kinds: ['TimeSyncConfig'] },
  { paths: ['machine.network.kubespan'], kinds: ['KubeSpanConfig'] },
  { paths: ['machine.install'], kinds: ['UnattendedInstallConfig'] },
  { paths: ['machine.kubelet'], kinds: ['KubeletConfig', 'KubeCredentialProviderConfig'] },
  {
    paths: [
      'machine.nodeLabels',
      'machine.nodeAnnotations',
      'machine.nodeTaints',
      'cluster.allowSchedulingOnControlPlanes',
      'cluster.allowSchedulingOnMasters',
    ],
    kinds: ['KubeNodeConfig'],
  },
  { paths: ['cluster.clusterName', 'cluster.controlPlane.endpoint'], kinds: ['KubeClusterConfig'] },
  { paths: ['cluster.network'], kinds: ['KubeNetworkConfig', 'KubeFlannelCNIConfig'] },
  { paths: ['cluster.ca', 'cluster.acceptedCAs'], kinds: ['KubeAPIServerCAConfig'] },
  { paths: ['cluster.aggregatorCA'], kinds: ['KubeAggregatorCAConfig'] },
  { paths: ['cluster.serviceAccount'], kinds: ['KubeServiceAccountConfig'] },
  { paths: ['cluster.apiServer', 'cluster.controlPlane.localAPIServerPort'], kinds: ['KubeAPIServerConfig'] },
  {
    paths: ['cluster.controllerManager', 'machine.controlPlane.controllerManager'],
    kinds: ['KubeControllerManagerConfig'],
  },
  { paths: ['cluster.scheduler', 'machine.controlPlane.scheduler'], kinds: ['KubeSchedulerConfig'] },
  { paths: ['cluster.proxy'], kinds: ['KubeProxyConfig'] },
  { paths: ['cluster.coreDNS'], kinds: ['KubeCoreDNSConfig'] },
  {
    paths: ['cluster.secretboxEncryptionSecret', 'cluster.aescbcEncryptionSecret'],
    kinds: ['KubeEtcdEncryptionConfig'],
  },
  { paths: ['cluster.discovery'], kinds: ['DiscoveryServiceConfig'] },
  { paths: ['cluster.id', 'cluster.secret'], kinds: ['DiscoveryIdentityConfig'] },
  {
    paths: ['machine.features.hostDNS'],
    kinds: ['ResolverConfig'],
    when: ({ hostDNS }) => hostDNS !== undefined,
  },
  ...['state', 'ephemeral'].map((volume) => ({
    paths: [`machine.systemDiskEncryption.${volume}`],
    kinds: ['VolumeConfig'],
    when: ({ name, encryption }: ConfigObject) => name === volume.toUpperCase() && encryption !== undefined,
  })),
  { paths: ['machine.features.kubePrism'], kinds: ['KubePrismConfig'] },
  { paths: ['machine.features.kubernetesTalosAPIAccess'], kinds: ['KubeTalosAPIAccessConfig'] },
  { paths: ['machine.features.imageCache'], kinds: ['ImageCacheConfig'] },
  { paths: ['machine.baseRuntimeSpecOverrides'], kinds: ['CRIBaseRuntimeSpecConfig'] },
]

/** Refuses a patched config that Talos would refuse: no machine gets a config that it cannot read. */
export function refuseConflicts(documents: readonly ConfigObject[], patches: readonly Patch[]): void {
  const classic = documents.find(({ kind }) => kind === undefined) ?? {}
  for (const { paths, kinds, when = () => true } of saidTwice) {
    const path = paths.find((one) => isSaid(at(classic, one)))
    const kind = kinds.find((one) => documents.some((document) => document.kind === one && when(document)))
    if (path !== undefined && kind !== undefined) throw conflict(path, kind, patches)
  }
  refuseTwoHostnames(documents, patches)
}

function refuseTwoHostnames(documents: readonly ConfigObject[], patches: readonly Patch[]): void {
  const hostname = documents.find(({ kind }) => kind === 'HostnameConfig')
  if (hostname?.hostname === undefined || hostname.auto !== 'stable') return
  throw new PatchError(
    `The patched HostnameConfig has the hostname ${hostname.hostname} and \`auto: stable\`, but Talos accepts only one of them.`,
    {
      where: blamed(patches, /HostnameConfig/),
      fix: 'Set `auto: off` beside the hostname.',
    },
  )
}

function conflict(path: string, kind: string, patches: readonly Patch[]): PatchError {
  const key = path.split('.').at(-1) ?? path
  return new PatchError(`The patched config has both ${path} and a ${kind}, but Talos accepts only one of them.`, {
    where: blamed(patches, new RegExp(`\\b(?:${key}|${kind})\\b`)),
    fix: `Patch the document \`kind: ${kind}\` instead of ${path}, or the other way round with an older contract.`,
  })
}

/** The last patch that sets it, at its line. */
function blamed(patches: readonly Patch[], word: RegExp): string {
  const patch = patches.findLast(({ text }) => word.test(text)) ?? patches.at(-1)
  if (patch === undefined) return 'machine config'
  const line = patch.text.split('\n').findIndex((one) => word.test(one))
  return `${patch.source}:${patch.line + Math.max(0, line)}`
}

function at(value: ConfigValue | undefined, path: string): ConfigValue | undefined {
  return path
    .split('.')
    .reduce<ConfigValue | undefined>((one, key) => (isConfigObject(one) ? one[key] : undefined), value)
}

function isSaid(value: ConfigValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false
}
