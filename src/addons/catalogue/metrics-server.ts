import { defineAddon, rollout } from '../addon.js'

export const metricsServer = defineAddon({
  name: 'metrics_server',
  title: 'metrics-server',
  summary: 'Metrics for `kubectl top` and autoscaling, with kubelet serving certificates.',
  tried: 'chart',
  version: '3.13.1',
  namespace: 'kube-system',
  after: ['cilium', 'flannel', 'kubelet_csr_approver', 'prometheus_crds'],
  brings: () => ['kubelet_csr_approver'],
  machines: () => ({ rotateServerCertificates: true }),
  install: ({ context, version, isMonitored }) => ({
    source: {
      kind: 'chart',
      repository: 'https://kubernetes-sigs.github.io/metrics-server',
      chart: 'metrics-server',
      version,
      release: 'metrics-server',
      values: {
        replicas: context.workers > 1 ? 2 : 1,
        ...(isMonitored ? { metrics: { enabled: true }, serviceMonitor: { enabled: true } } : {}),
      },
    },
  }),
  checks: ({ namespace }) => [
    rollout('Deployment', namespace, 'metrics-server'),
    { kind: 'api-service', name: 'v1beta1.metrics.k8s.io' },
  ],
})
