import { valueAt } from '../object.js'
import { type ChartTable, clusterObject, crd, everywhere, service, workload } from './chart.js'

const community = 'https://prometheus-community.github.io/helm-charts'

const monitoringCrds = [
  crd('monitoring.coreos.com', 'ServiceMonitor', 'servicemonitors'),
  crd('monitoring.coreos.com', 'PodMonitor', 'podmonitors'),
  crd('monitoring.coreos.com', 'PrometheusRule', 'prometheusrules'),
  crd('monitoring.coreos.com', 'Prometheus', 'prometheuses'),
  crd('monitoring.coreos.com', 'Alertmanager', 'alertmanagers'),
]

const metricsServer: ChartTable = {
  chart: 'metrics-server',
  repository: 'https://kubernetes-sigs.github.io/metrics-server',
  render: ({ values, namespace }) => {
    const args = Array.isArray(values.args) ? values.args.map(String) : []
    return [
      workload('Deployment', namespace, 'metrics-server', { replicas: Number(values.replicas ?? 1), args }),
      service(namespace, 'metrics-server', 443),
      clusterObject('apiregistration.k8s.io/v1', 'APIService', 'v1beta1.metrics.k8s.io', {
        spec: {
          group: 'metrics.k8s.io',
          version: 'v1beta1',
          service: { name: 'metrics-server', namespace },
          groupPriorityMinimum: 100,
          versionPriority: 100,
        },
      }),
    ]
  },
}

const prometheusCrds: ChartTable = {
  chart: 'prometheus-operator-crds',
  repository: community,
  render: () => monitoringCrds,
}

const kubePrometheusStack: ChartTable = {
  chart: 'kube-prometheus-stack',
  repository: community,
  render: ({ values, namespace, release }) => [
    ...(valueAt(values, 'crds', 'enabled') === false ? [] : monitoringCrds),
    workload('Deployment', namespace, `${release}-operator`),
    workload('Deployment', namespace, `${release}-grafana`),
    workload('Deployment', namespace, `${release}-kube-state-metrics`),
    workload('DaemonSet', namespace, `${release}-prometheus-node-exporter`, {
      hostNetwork: true,
      tolerations: everywhere,
    }),
    workload('StatefulSet', namespace, `prometheus-${release}-prometheus`),
    workload('StatefulSet', namespace, `alertmanager-${release}-alertmanager`),
  ],
}

const victoriaMetrics: ChartTable = {
  chart: 'victoria-metrics-k8s-stack',
  repository: 'https://victoriametrics.github.io/helm-charts',
  render: ({ namespace, release }) => [
    crd('operator.victoriametrics.com', 'VMSingle', 'vmsingles', 'v1beta1'),
    crd('operator.victoriametrics.com', 'VMAgent', 'vmagents', 'v1beta1'),
    workload('Deployment', namespace, `${release}-victoria-metrics-operator`),
    workload('Deployment', namespace, `vmsingle-${release}`),
    workload('Deployment', namespace, `vmagent-${release}`),
    workload('Deployment', namespace, `${release}-grafana`),
  ],
}

const loki: ChartTable = {
  chart: 'loki',
  repository: 'https://grafana.github.io/helm-charts',
  render: ({ namespace, release }) => [
    workload('StatefulSet', namespace, release, { claims: ['storage'] }),
    service(namespace, release, 3100),
  ],
}

const vector: ChartTable = {
  chart: 'vector',
  repository: 'https://helm.vector.dev',
  render: ({ namespace, release }) => [workload('DaemonSet', namespace, release)],
}

export const observabilityCharts: readonly ChartTable[] = [
  metricsServer,
  prometheusCrds,
  kubePrometheusStack,
  victoriaMetrics,
  loki,
  vector,
]
