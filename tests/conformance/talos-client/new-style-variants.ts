import type { TestCluster } from '../../../src/simulator/talos/testing/a-cluster.js'

/** Documents that 1.14 brought, each with a body that is good in itself. Beside the old style, most of them are a conflict. */
const documents: Readonly<Record<string, string>> = {
  KubeletConfig: 'image: ghcr.io/siderolabs/kubelet:v1.36.3\nconfig: {}',
  KubeNodeConfig: 'nodeIP: {}\nlabels: { a: b }',
  KubeClusterConfig: 'clusterName: dev\nendpoint: https://10.5.0.2:6443',
  KubeNetworkConfig: 'dnsDomain: cluster.local\npodSubnets: [10.244.0.0/16]\nserviceSubnets: [10.96.0.0/12]',
  KubeFlannelCNIConfig: 'backendType: vxlan\nbackendPort: 4789',
  KubeProxyConfig: 'image: registry.k8s.io/kube-proxy:v1.36.3\nconfig: {}',
  KubeSchedulerConfig: 'image: registry.k8s.io/kube-scheduler:v1.36.3\nconfig: {}',
  KubeControllerManagerConfig: 'image: registry.k8s.io/kube-controller-manager:v1.36.3',
  KubeAPIServerConfig: 'image: registry.k8s.io/kube-apiserver:v1.36.3',
  KubeCoreDNSConfig: 'enabled: true',
  KubePrismConfig: 'port: 7445',
  KubeAuditPolicyConfig: 'configuration: { apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{ level: Metadata }] }',
  KubeInlineManifestConfig: 'name: a\nmanifest: ""',
  DiscoveryServiceConfig: 'name: default\nendpoint: https://discovery.talos.dev/',
  DiscoveryIdentityConfig: 'clusterID: Y2x1c3Rlcg==\nclusterSecret: BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=',
  UnattendedInstallConfig: 'installer: {}\nprovisioning: { diskSelector: { match: disk.dev_path == "/dev/sda" } }',
  SysctlConfig: 'params: { vm.swappiness: "1" }',
  FilesystemTrimConfig: 'interval: 168h0m0s',
  SecurityProfileConfig: 'workloadIsolation: true',
  ResolverConfig: 'hostDNS: { enabled: true, forwardKubeDNSToHost: true }',
  TimeSyncConfig: 'ntp: { servers: [a.org] }',
}

/** Old sections whose place a document may take. */
const replaced: Readonly<Record<string, { readonly machine?: object; readonly cluster?: object }>> = {
  KubeletConfig: { machine: { kubelet: undefined } },
  KubeClusterConfig: { cluster: { clusterName: undefined, controlPlane: undefined } },
  KubeNetworkConfig: { cluster: { network: undefined } },
  KubeProxyConfig: { cluster: { proxy: undefined } },
  KubeSchedulerConfig: { cluster: { scheduler: undefined } },
  KubeControllerManagerConfig: { cluster: { controllerManager: undefined } },
  KubeAPIServerConfig: { cluster: { apiServer: undefined } },
  DiscoveryServiceConfig: { cluster: { discovery: undefined } },
  DiscoveryIdentityConfig: { cluster: { id: undefined, secret: undefined } },
  UnattendedInstallConfig: { machine: { install: undefined } },
}

/** Each document beside the old style, in its place, and on a worker. */
export function newStyleVariants(cluster: TestCluster): Record<string, string> {
  const text = (kind: string) => `---\napiVersion: v1alpha1\nkind: ${kind}\n${documents[kind] ?? ''}\n`
  const kinds = Object.keys(documents)
  return Object.fromEntries([
    ...kinds.map((kind) => [`${kind} beside the old style`, cluster.config({ extra: text(kind) })]),
    ...kinds.map((kind) => [`${kind} on a worker`, cluster.config({ role: 'worker', extra: text(kind) })]),
    ...Object.entries(replaced).map(([kind, without]) => [
      `${kind} in the place of the old section`,
      cluster.config({ ...without, extra: text(kind) }),
    ]),
    ['no etcd encryption', cluster.config({ cluster: { secretboxEncryptionSecret: undefined } })],
    [
      'a kubelet setting that Talos owns, in the new style',
      cluster.config({
        machine: { kubelet: undefined },
        extra: `${text('KubeletConfig').replace('config: {}', 'config: { port: 1 }')}`,
      }),
    ],
  ])
}
