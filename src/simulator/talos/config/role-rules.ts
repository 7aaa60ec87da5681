import type { ConfigFacts } from './config-facts.js'
import { isMapping, type MachineConfig } from './documents.js'
import { findText, mappingsOf, readerOf } from './read-values.js'
import { minorOf } from './talos-version.js'

const onlyOnControlPlanes = [
  'KubeAPIServerConfig',
  'KubeAdmissionControlConfig',
  'KubeAggregatorCAConfig',
  'KubeAuditPolicyConfig',
  'KubeAuthenticationConfig',
  'KubeAuthorizerConfig',
  'KubeControllerManagerConfig',
  'KubeCoreDNSConfig',
  'KubeEtcdEncryptionConfig',
  'KubeFlannelCNIConfig',
  'KubeProxyConfig',
  'KubeSchedulerConfig',
  'KubeServiceAccountConfig',
  'KubeTalosAPIAccessConfig',
]

/** What a control plane must have and a worker must not. */
export function roleProblems(config: MachineConfig, facts: ConfigFacts, talos: string): string[] {
  const type = readerOf(config).v1('machine.type')
  if (type === undefined || type === null || type === '') return workerProblems(config, facts)
  if (type !== 'controlplane' && type !== 'worker' && type !== 'init') return [`invalid machine type: ${String(type)}`]
  return facts.role === 'controlplane' ? controlPlaneProblems(config, facts, talos) : workerProblems(config, facts)
}

function controlPlaneProblems(config: MachineConfig, facts: ConfigFacts, talos: string): string[] {
  const reader = readerOf(config)
  const isEncrypted =
    reader.document('KubeEtcdEncryptionConfig') !== undefined ||
    findText(reader.v1('cluster.secretboxEncryptionSecret')) !== undefined ||
    findText(reader.v1('cluster.aescbcEncryptionSecret')) !== undefined
  const needsEncryption = minorOf(talos) >= 14 && facts.kubernetesCa.crt !== ''
  return [
    ...(isMapping(reader.v1('machine.ca')) ? [] : ['issuing Talos API CA is required']),
    ...(facts.osCa.key === '' ? ['issuing Talos API CA key is required for controlplane nodes'] : []),
    ...(isMapping(reader.v1('cluster.etcd')) && !isMapping(reader.v1('cluster.etcd.ca'))
      ? ['key/cert combination should not be empty']
      : []),
    ...(needsEncryption && !isEncrypted ? ['etcd encryption configuration is required on control plane nodes'] : []),
  ]
}

function workerProblems(config: MachineConfig, facts: ConfigFacts): string[] {
  const reader = readerOf(config)
  const interfaces = mappingsOf(reader.v1('machine.network.interfaces'))
  const forbidden = onlyOnControlPlanes.filter((kind) => reader.document(kind) !== undefined)
  const hasVip = interfaces.some(({ vip }) => isMapping(vip)) || reader.document('Layer2VIPConfig') !== undefined
  return [
    ...(facts.osCa.crt === '' && facts.acceptedOsCas.length === 0
      ? ['trusted CA certificates are required on worker nodes']
      : []),
    ...(facts.osCa.key === ''
      ? []
      : ['issuing Talos API CA key is not allowed on non-controlplane nodes (.machine.ca)']),
    ...(facts.kubernetesCa.key === ''
      ? []
      : ['issuing Kubernetes API CA key is not allowed on non-controlplane nodes (.cluster.ca)']),
    ...(isMapping(reader.v1('cluster.etcd')) ? ['.cluster.etcd is only allowed on controlplane nodes'] : []),
    ...(hasVip ? ['virtual (shared) IP is not allowed on non-controlplane nodes'] : []),
    ...forbidden.map((kind) => `${kind} is only allowed on controlplane nodes`),
  ]
}
