import type { KubernetesObject } from '../../kubernetes/port.js'
import { type AddonContext, defineAddon, rollout } from '../addon.js'

/** Talos forbids SYS_MODULE: the agent gets the rest of the chart's list. */
const agentCapabilities = [
  'CHOWN',
  'KILL',
  'NET_ADMIN',
  'NET_RAW',
  'IPC_LOCK',
  'SYS_ADMIN',
  'SYS_RESOURCE',
  'DAC_OVERRIDE',
  'FOWNER',
  'SETGID',
  'SETUID',
]

export const cilium = defineAddon({
  name: 'cilium',
  title: 'Cilium',
  summary: 'Network by Cilium, instead of flannel and kube-proxy.',
  toleratesTaints: true,
  tried: 'chart',
  version: '1.19.6',
  namespace: 'kube-system',
  options: {
    kube_proxy_replacement: { kind: 'flag', default: true, help: 'Cilium does the work of kube-proxy.' },
    hubble: { kind: 'flag', default: false, help: 'Hubble relay and interface.' },
  },
  machines: (settings) => ({
    cni: 'none',
    kubeProxy: settings.kube_proxy_replacement === false,
    forwardsKubeDns: !routesByBpf(settings.values),
  }),
  after: ['prometheus_crds'],
  install: ({ settings, context, version, isMonitored }) => ({
    source: {
      kind: 'chart',
      repository: 'https://helm.cilium.io',
      chart: 'cilium',
      version,
      release: 'cilium',
      values: {
        ipam: { mode: 'kubernetes' },
        ...serviceValues(settings.kube_proxy_replacement !== false),
        securityContext: {
          capabilities: {
            ciliumAgent: agentCapabilities,
            cleanCiliumState: ['NET_ADMIN', 'SYS_ADMIN', 'SYS_RESOURCE'],
          },
        },
        cgroup: { autoMount: { enabled: false }, hostRoot: '/sys/fs/cgroup' },
        ...(isMonitored ? { prometheus: { enabled: true, serviceMonitor: { enabled: true } } } : {}),
        operator: {
          replicas: context.controlPlanes > 1 ? 2 : 1,
          ...(isMonitored ? { prometheus: { enabled: true, serviceMonitor: { enabled: true } } } : {}),
        },
        hubble: { relay: { enabled: settings.hubble === true }, ui: { enabled: settings.hubble === true } },
        ...(context.loadBalancer.length > 0 ? { l2announcements: { enabled: true } } : {}),
      },
    },
    after: loadBalancerObjects(context),
  }),
  checks: () => [
    rollout('DaemonSet', 'kube-system', 'cilium'),
    rollout('Deployment', 'kube-system', 'cilium-operator'),
  ],
})

/** Its routing in BPF passes the node's own resolver by, unless the old routing is kept. */
function routesByBpf({ bpf }: Readonly<Record<string, unknown>>): boolean {
  const { masquerade, hostLegacyRouting } = (bpf ?? {}) as { masquerade?: unknown; hostLegacyRouting?: unknown }
  return masquerade === true && hostLegacyRouting !== true
}

/** Without kube-proxy the agent reaches the API through KubePrism, which listens on each node. */
function serviceValues(replacesKubeProxy: boolean): object {
  return replacesKubeProxy
    ? { kubeProxyReplacement: true, k8sServiceHost: 'localhost', k8sServicePort: 7445 }
    : { kubeProxyReplacement: false }
}

function loadBalancerObjects({ loadBalancer }: AddonContext): readonly KubernetesObject[] {
  if (loadBalancer.length === 0) return []
  return [
    {
      apiVersion: 'cilium.io/v2',
      kind: 'CiliumLoadBalancerIPPool',
      metadata: { name: 'ichor' },
      spec: { blocks: loadBalancer.map(blockOf) },
    },
    {
      apiVersion: 'cilium.io/v2alpha1',
      kind: 'CiliumL2AnnouncementPolicy',
      metadata: { name: 'ichor' },
      spec: { loadBalancerIPs: true, externalIPs: true },
    },
  ]
}

function blockOf(range: string): object {
  const [start, stop] = range.split('-')
  return stop === undefined ? { cidr: range } : { start, stop }
}
