import { defineAddon, namespaceObject, rollout } from '../addon.js'

/** On Talos, kube-proxy metrics are not reachable from outside the node, and etcd requires certificates. */
const notReachable = { kubeProxy: { enabled: false }, kubeEtcd: { enabled: false } }

/** By default only what belongs to the chart's own release is picked up. */
const everything = {
  serviceMonitorSelectorNilUsesHelmValues: false,
  podMonitorSelectorNilUsesHelmValues: false,
  probeSelectorNilUsesHelmValues: false,
  ruleSelectorNilUsesHelmValues: false,
}

export const kubePrometheusStack = defineAddon({
  name: 'kube_prometheus_stack',
  title: 'kube-prometheus-stack',
  summary: 'Monitoring by Prometheus and Grafana.',
  tried: 'chart',
  version: '88.5.3',
  namespace: 'monitoring',
  after: ['cilium', 'flannel', 'prometheus_crds', 'proxmox_csi', 'longhorn'],
  install: ({ namespace, version }) => ({
    before: [namespaceObject(namespace, 'privileged')],
    source: {
      kind: 'chart',
      repository: 'https://prometheus-community.github.io/helm-charts',
      chart: 'kube-prometheus-stack',
      version,
      release: 'kube-prometheus-stack',
      values: { ...notReachable, crds: { enabled: true }, prometheus: { prometheusSpec: everything } },
    },
  }),
  checks: ({ namespace }) => [
    rollout('Deployment', namespace, 'kube-prometheus-stack-operator'),
    rollout('Deployment', namespace, 'kube-prometheus-stack-grafana'),
    rollout('StatefulSet', namespace, 'prometheus-kube-prometheus-stack-prometheus'),
  ],
  holdsData: true,
})
