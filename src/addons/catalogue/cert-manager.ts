import { defineAddon, rollout } from '../addon.js'

export const certManager = defineAddon({
  name: 'cert_manager',
  title: 'cert-manager',
  summary: 'Certificates by cert-manager.',
  tried: 'other',
  version: 'v1.19.4',
  namespace: 'cert-manager',
  after: ['cilium', 'flannel', 'prometheus_crds'],
  install: ({ version, isMonitored }) => ({
    source: {
      kind: 'chart',
      repository: 'https://charts.jetstack.io',
      chart: 'cert-manager',
      version,
      release: 'cert-manager',
      values: {
        crds: { enabled: true, keep: true },
        ...(isMonitored ? { prometheus: { enabled: true, servicemonitor: { enabled: true } } } : {}),
      },
    },
  }),
  checks: ({ namespace }) => [
    rollout('Deployment', namespace, 'cert-manager'),
    rollout('Deployment', namespace, 'cert-manager-webhook'),
    rollout('Deployment', namespace, 'cert-manager-cainjector'),
  ],
})
