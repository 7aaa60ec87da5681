import { type ConfigValue, isConfigList, isConfigObject } from './config-value.js'

/** Replaces a secret. */
export const secretMask = '(secret)'

/** Documents whose fields are known; of any other one only its kind and name are shown. */
const knownKinds = new Set([
  'v1alpha1',
  'BondConfig',
  'BridgeConfig',
  'DHCPv4Config',
  'DHCPv6Config',
  'DiscoveryIdentityConfig',
  'DiscoveryServiceConfig',
  'DummyLinkConfig',
  'EnvironmentConfig',
  'EthernetConfig',
  'EventSinkConfig',
  'ExistingVolumeConfig',
  'ExtensionServiceConfig',
  'FilesystemTrimConfig',
  'HostnameConfig',
  'ImageCacheConfig',
  'KernelModuleConfig',
  'KmsgLogConfig',
  'KubeAPIServerConfig',
  'KubeAdmissionControlConfig',
  'KubeAggregatorCAConfig',
  'KubeAuditPolicyConfig',
  'KubeAuthenticationConfig',
  'KubeAuthorizerConfig',
  'KubeClusterConfig',
  'KubeControllerManagerConfig',
  'KubeCoreDNSConfig',
  'KubeEtcdEncryptionConfig',
  'KubeExternalManifestConfig',
  'KubeFlannelCNIConfig',
  'KubeInlineManifestConfig',
  'KubeNetworkConfig',
  'KubeNodeConfig',
  'KubePrismConfig',
  'KubeProxyConfig',
  'KubeSchedulerConfig',
  'KubeServiceAccountConfig',
  'KubeSpanConfig',
  'KubeletConfig',
  'Layer2VIPConfig',
  'LinkAliasConfig',
  'LinkConfig',
  'NetworkDefaultActionConfig',
  'NetworkRuleConfig',
  'OOMConfig',
  'RawVolumeConfig',
  'RegistryAuthConfig',
  'RegistryMirrorConfig',
  'RegistryTLSConfig',
  'ResolverConfig',
  'SecurityProfileConfig',
  'SideroLinkConfig',
  'StaticHostConfig',
  'SwapVolumeConfig',
  'SysctlConfig',
  'TimeSyncConfig',
  'TrustedRootsConfig',
  'UnattendedInstallConfig',
  'UserVolumeConfig',
  'VLANConfig',
  'VolumeConfig',
  'WatchdogTimerConfig',
  'WireguardConfig',
  'ZswapConfig',
])

/** Shown for every document. */
const titleKeys = new Set(['apiVersion', 'kind', 'name'])

/** Keys whose values are secret anywhere. */
const secretKey = /token|secret|password|passphrase|private_?key|preshared_?key|credential|api_?key|^apiurl$/i

/** Keys that contain one of these words and are not secret: references and switches of Kubernetes. */
const publicKeys = new Set(['automountServiceAccountToken', 'imagePullSecrets', 'secretName', 'token-ttl'])

/** Keys whose values are secret only under one of these. */
const secretUnder: Readonly<Record<string, readonly string[]>> = {
  key: ['ca', 'aggregatorCA', 'serviceAccount', 'clientIdentity', 'issuingCA'],
  auth: ['auth', 'RegistryAuthConfig'],
  id: ['cluster'],
}

/** Everything under these keys is free-form user data. */
const opaqueKeys = new Set([
  'contents',
  'content',
  'manifest',
  'env',
  'environment',
  'variables',
  'configFiles',
  'extraManifestHeaders',
  'headers',
])

/** Whether the value at this path of a document must not be shown. */
export function isSecretField(kind: string, path: readonly string[], value: ConfigValue): boolean {
  const key = path.at(-1) ?? ''
  if (path.length === 1 && titleKeys.has(key)) return false
  if (!knownKinds.has(kind) || isOpaque(path)) return true
  if (typeof value !== 'string') return false
  const keys = path.filter((part) => !part.startsWith('['))
  const last = keys.at(-1) ?? ''
  const parent = keys.at(-2) ?? kind
  const isNamedSecret = secretKey.test(last) && !publicKeys.has(last)
  return isNamedSecret || (secretUnder[last] ?? []).includes(parent) || looksSecret(value)
}

/** The name of a variable next to its value is not secret. */
function isOpaque(path: readonly string[]): boolean {
  const top = path.findIndex((part) => opaqueKeys.has(part))
  return top >= 0 && !(path.length === top + 3 && ['name', 'mountPath'].includes(path.at(-1) ?? ''))
}

/** A private key, plain or in base64, a bootstrap token, or a URL with credentials. */
function looksSecret(value: string): boolean {
  return (
    /PRIVATE KEY-----|^[a-z0-9]{6}\.[a-z0-9]{16}$|:\/\/[^/\s@]+:[^/\s@]+@/.test(value) ||
    (value.startsWith('LS0tLS1CRUdJTi') && /PRIVATE KEY/.test(Buffer.from(value, 'base64').toString('latin1')))
  )
}

/** The value with every secret masked; each secret is passed on. */
export function withoutSecrets(
  kind: string,
  value: ConfigValue,
  onSecret: (secret: ConfigValue) => void,
  path: readonly string[] = [],
): ConfigValue {
  if (isConfigList(value)) {
    return value.map((item, index) => withoutSecrets(kind, item, onSecret, [...path, `[${index}]`]))
  }
  if (isConfigObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, withoutSecrets(kind, inner, onSecret, [...path, key])]),
    )
  }
  if (value === '' || !isSecretField(kind, path, value)) return value
  onSecret(value)
  return secretMask
}
