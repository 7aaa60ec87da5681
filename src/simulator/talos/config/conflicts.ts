import { at, type MachineConfig } from './documents.js'

/**
 * An old path and a newer document that may not both be set: the first minor version that refuses, and the place of
 * each.
 */
type Conflict = readonly [since: number, path: string, kind: string, key?: string]

const conflicts: readonly Conflict[] = [
  [12, 'machine.network.hostname', 'HostnameConfig'],
  [12, 'machine.network.nameservers', 'ResolverConfig', 'nameservers'],
  [12, 'machine.network.searchDomains', 'ResolverConfig', 'searchDomains'],
  [12, 'machine.network.disableSearchDomain', 'ResolverConfig', 'searchDomains'],
  [14, 'machine.features.hostDNS', 'ResolverConfig', 'hostDNS'],
  [12, 'machine.time.disabled', 'TimeSyncConfig', 'enabled'],
  [12, 'machine.time.servers', 'TimeSyncConfig', 'ntp'],
  [12, 'machine.time.bootTimeout', 'TimeSyncConfig', 'bootTimeout'],
  [13, 'machine.network.kubespan', 'KubeSpanConfig'],
  [14, 'machine.install', 'UnattendedInstallConfig'],
  [14, 'machine.kubelet', 'KubeletConfig'],
  [14, 'machine.kubelet', 'KubeCredentialProviderConfig'],
  [14, 'machine.kubelet.skipNodeRegistration', 'KubeNodeConfig'],
  [14, 'machine.kubelet.registerWithFQDN', 'KubeNodeConfig'],
  [14, 'machine.kubelet.nodeIP', 'KubeNodeConfig'],
  [14, 'machine.nodeLabels', 'KubeNodeConfig'],
  [14, 'machine.nodeAnnotations', 'KubeNodeConfig'],
  [14, 'machine.nodeTaints', 'KubeNodeConfig'],
  [14, 'cluster.allowSchedulingOnControlPlanes', 'KubeNodeConfig'],
  [14, 'cluster.allowSchedulingOnMasters', 'KubeNodeConfig'],
  [14, 'cluster.clusterName', 'KubeClusterConfig'],
  [14, 'cluster.controlPlane.endpoint', 'KubeClusterConfig'],
  [14, 'cluster.network', 'KubeNetworkConfig'],
  [14, 'cluster.network', 'KubeFlannelCNIConfig'],
  [14, 'cluster.ca', 'KubeAPIServerCAConfig'],
  [14, 'cluster.acceptedCAs', 'KubeAPIServerCAConfig'],
  [14, 'cluster.aggregatorCA', 'KubeAggregatorCAConfig'],
  [14, 'cluster.serviceAccount', 'KubeServiceAccountConfig'],
  [14, 'cluster.apiServer', 'KubeAPIServerConfig'],
  [14, 'cluster.controlPlane.localAPIServerPort', 'KubeAPIServerConfig'],
  [14, 'cluster.apiServer.admissionControl', 'KubeAdmissionControlConfig'],
  [14, 'cluster.apiServer.auditPolicy', 'KubeAuditPolicyConfig'],
  [14, 'cluster.apiServer.authorizationConfig', 'KubeAuthorizerConfig'],
  [14, 'cluster.controllerManager', 'KubeControllerManagerConfig'],
  [14, 'cluster.scheduler', 'KubeSchedulerConfig'],
  [14, 'cluster.proxy', 'KubeProxyConfig'],
  [14, 'cluster.coreDNS', 'KubeCoreDNSConfig'],
  [14, 'machine.controlPlane.controllerManager', 'KubeControllerManagerConfig'],
  [14, 'machine.controlPlane.scheduler', 'KubeSchedulerConfig'],
  [14, 'cluster.secretboxEncryptionSecret', 'KubeEtcdEncryptionConfig'],
  [14, 'cluster.aescbcEncryptionSecret', 'KubeEtcdEncryptionConfig'],
  [14, 'cluster.discovery', 'DiscoveryServiceConfig'],
  [14, 'cluster.id', 'DiscoveryIdentityConfig'],
  [14, 'cluster.secret', 'DiscoveryIdentityConfig'],
  [14, 'machine.features.kubePrism', 'KubePrismConfig'],
  [14, 'machine.features.kubernetesTalosAPIAccess', 'KubeTalosAPIAccessConfig'],
  [14, 'machine.features.imageCache', 'ImageCacheConfig'],
  [14, 'machine.baseRuntimeSpecOverrides', 'CRIBaseRuntimeSpecConfig'],
]

/** Settings in both styles, which Talos refuses. */
export function conflictsIn(config: MachineConfig, minor: number): string[] {
  const { v1alpha1, documents } = config
  if (v1alpha1 === undefined) return []
  const fromTable = conflicts
    .filter(([since, path]) => minor >= since && isGiven(at(v1alpha1, path)))
    .filter(([, , kind, key]) => documents.some((one) => one.kind === kind && (key === undefined || key in one.body)))
    .map(([, path, kind]) => messages[path] ?? `.${path} is already set in v1alpha1 config, it conflicts with ${kind}`)
  return [...fromTable, ...stableHostname(config, minor), ...encryptedTwice(config, minor)]
}

const messages: Readonly<Record<string, string>> = {
  'machine.network.hostname': 'static hostname is already set in v1alpha1 config',
}

function stableHostname({ v1alpha1, documents }: MachineConfig, minor: number): string[] {
  const isAsked = at(v1alpha1, 'machine.features.stableHostname') === true
  const isReported = documents.some(({ kind }) => kind === 'HostnameConfig')
  return minor >= 12 && isAsked && isReported ? ['stable hostname is already enabled in v1alpha1 config'] : []
}

function encryptedTwice({ v1alpha1, documents }: MachineConfig, minor: number): string[] {
  if (minor < 11) return []
  return (['state', 'ephemeral'] as const).flatMap((volume) => {
    const old = at(v1alpha1, `machine.systemDiskEncryption.${volume}`)
    const name = volume.toUpperCase()
    const fresh = documents.some((one) => one.kind === 'VolumeConfig' && one.name === name && 'encryption' in one.body)
    return isGiven(old) && fresh
      ? [`system disk encryption for ${name} is configured in both v1alpha1 and VolumeConfig`]
      : []
  })
}

/** Empty texts, lists and mappings count as unset, like Go's zero values. */
function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
