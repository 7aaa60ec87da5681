import { defineAddon, namespaceObject, rollout } from '../addon.js'

export const victoriaMetrics = defineAddon({
  name: 'victoria_metrics',
  title: 'VictoriaMetrics',
  summary: 'Monitoring by VictoriaMetrics.',
  tried: 'chart',
  version: '0.91.2',
  namespace: 'monitoring',
  after: ['cilium', 'flannel', 'prometheus_crds', 'proxmox_csi', 'longhorn'],
  install: ({ namespace, version }) => ({
    before: [namespaceObject(namespace, 'privileged')],
    source: {
      kind: 'chart',
      repository: 'https://victoriametrics.github.io/helm-charts',
      chart: 'victoria-metrics-k8s-stack',
      version,
      release: 'vm',
      values: { fullnameOverride: 'vm', kubeEtcd: { enabled: false }, kubeProxy: { enabled: false } },
    },
  }),
  checks: ({ namespace }) => [
    rollout('Deployment', namespace, 'vm-victoria-metrics-operator'),
    rollout('Deployment', namespace, 'vmsingle-vm'),
  ],
  volumes: {
    needsUnless: {
      value: ['vmsingle', 'spec', 'storage'],
      example: 'vmsingle: { spec: { storage: { storageClassName: NAME } } }',
    },
  },
  holdsData: true,
})
