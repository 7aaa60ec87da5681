import { defineAddon } from '../addon.js'

export const prometheusCrds = defineAddon({
  name: 'prometheus_crds',
  title: 'Prometheus Operator CRDs',
  summary: 'Custom resources of the Prometheus Operator alone.',
  tried: 'chart',
  version: '31.0.1',
  namespace: 'monitoring',
  install: ({ version }) => ({
    source: {
      kind: 'chart',
      repository: 'https://prometheus-community.github.io/helm-charts',
      chart: 'prometheus-operator-crds',
      version,
      release: 'prometheus-operator-crds',
      values: {},
    },
  }),
  checks: () => [
    { kind: 'crd', name: 'servicemonitors.monitoring.coreos.com' },
    { kind: 'crd', name: 'prometheusrules.monitoring.coreos.com' },
  ],
})
