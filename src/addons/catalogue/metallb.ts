import { defineAddon, namespaceObject, rollout } from '../addon.js'

export const metallb = defineAddon({
  name: 'metallb',
  title: 'MetalLB',
  summary: 'Load balancer for `network.load_balancer`.',
  tried: 'chart',
  version: '0.15.2',
  namespace: 'metallb-system',
  after: ['cilium', 'flannel', 'prometheus_crds'],
  install: ({ context, namespace, version, isMonitored }) => ({
    before: [namespaceObject(namespace, 'privileged')],
    source: {
      kind: 'chart',
      repository: 'https://metallb.github.io/metallb',
      chart: 'metallb',
      version,
      release: 'metallb',
      // Layer 2 only: the routing daemon would need more privileges without a benefit.
      values: {
        speaker: { frr: { enabled: false }, ignoreExcludeLB: true },
        // Its role for Prometheus wants to know the account of Prometheus, which reads every namespace anyway.
        ...(isMonitored ? { prometheus: { rbacPrometheus: false, serviceMonitor: { enabled: true } } } : {}),
      },
    },
    after: [
      {
        apiVersion: 'metallb.io/v1beta1',
        kind: 'IPAddressPool',
        metadata: { name: 'ichor', namespace },
        spec: { addresses: context.loadBalancer },
      },
      {
        apiVersion: 'metallb.io/v1beta1',
        kind: 'L2Advertisement',
        metadata: { name: 'ichor', namespace },
        spec: { ipAddressPools: ['ichor'] },
      },
    ],
  }),
  checks: ({ namespace }) => [
    rollout('Deployment', namespace, 'metallb-controller'),
    rollout('DaemonSet', namespace, 'metallb-speaker'),
  ],
})
