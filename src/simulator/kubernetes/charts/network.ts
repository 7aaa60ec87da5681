import { isMap, type JsonMap, mapAt, textAt, valueAt } from '../object.js'
import type { ClusterFacts } from '../seam.js'
import { type ChartTable, clusterObject, crd, everywhere, service, workload } from './chart.js'

/** Why the agent would not start on Talos with these values. */
function ciliumProblem(values: JsonMap, facts: ClusterFacts): string | undefined {
  const capabilities = valueAt(values, 'securityContext', 'capabilities', 'ciliumAgent')
  if (!Array.isArray(capabilities) || capabilities.includes('SYS_MODULE'))
    return 'operation not permitted: Talos does not grant SYS_MODULE, which the default capabilities ask for'
  if (valueAt(values, 'cgroup', 'autoMount', 'enabled') !== false)
    return 'cgroup2 cannot be mounted: it is mounted already on Talos'
  const replaces = values.kubeProxyReplacement === true
  if (replaces && (values.k8sServiceHost !== 'localhost' || Number(values.k8sServicePort) !== 7445))
    return 'Unable to contact k8s api-server: without kube-proxy only KubePrism (localhost:7445) answers'
  if (!replaces && !facts.kubeProxy)
    return 'Unable to contact k8s api-server: there is no kube-proxy, and kubeProxyReplacement is off'
  return facts.cni === 'none' ? undefined : 'another CNI has written its configuration already'
}

/** The chart has none: the operator creates them once it runs. */
export const ciliumCrds = [
  crd('cilium.io', 'CiliumLoadBalancerIPPool', 'ciliumloadbalancerippools', 'v2', 'Cluster'),
  crd('cilium.io', 'CiliumL2AnnouncementPolicy', 'ciliuml2announcementpolicies', 'v2alpha1', 'Cluster'),
]

const cilium: ChartTable = {
  chart: 'cilium',
  repository: 'https://helm.cilium.io',
  render: ({ values, namespace, facts }) => {
    const problem = ciliumProblem(values, facts)
    const hasHubble = valueAt(values, 'hubble', 'relay', 'enabled') === true
    return [
      workload('DaemonSet', namespace, 'cilium', { hostNetwork: true, tolerations: everywhere, problem }),
      workload('DaemonSet', namespace, 'cilium-envoy', { hostNetwork: true, tolerations: everywhere }),
      workload('Deployment', namespace, 'cilium-operator', {
        hostNetwork: true,
        tolerations: everywhere,
        replicas: Number(valueAt(values, 'operator', 'replicas') ?? 2),
      }),
      ...(hasHubble
        ? [workload('Deployment', namespace, 'hubble-relay'), workload('Deployment', namespace, 'hubble-ui')]
        : []),
    ]
  },
}

const metallb: ChartTable = {
  chart: 'metallb',
  repository: 'https://metallb.github.io/metallb',
  render: ({ namespace }) => [
    crd('metallb.io', 'IPAddressPool', 'ipaddresspools', 'v1beta1'),
    crd('metallb.io', 'L2Advertisement', 'l2advertisements', 'v1beta1'),
    workload('Deployment', namespace, 'metallb-controller'),
    workload('DaemonSet', namespace, 'metallb-speaker', { hostNetwork: true, tolerations: everywhere }),
  ],
}

const traefik: ChartTable = {
  chart: 'traefik',
  repository: 'https://traefik.github.io/charts',
  render: ({ values, namespace }) => {
    const kind = textAt(values, 'deployment', 'kind') === 'DaemonSet' ? 'DaemonSet' : 'Deployment'
    const ports = Object.values(mapAt(values, 'ports')).filter(isMap)
    const hostPorts = ports.flatMap((port) => (typeof port.hostPort === 'number' ? [port.hostPort] : []))
    return [
      crd('traefik.io', 'IngressRoute', 'ingressroutes', 'v1alpha1'),
      crd('traefik.io', 'IngressRouteTCP', 'ingressroutetcps', 'v1alpha1'),
      clusterObject('networking.k8s.io/v1', 'IngressClass', 'traefik', {
        spec: { controller: 'traefik.io/ingress-controller' },
      }),
      workload(kind, namespace, 'traefik', {
        hostPorts,
        replicas: Number(valueAt(values, 'deployment', 'replicas') ?? 1),
      }),
      service(namespace, 'traefik', 80, textAt(values, 'service', 'type') ?? 'LoadBalancer'),
    ]
  },
}

const ingressNginx: ChartTable = {
  chart: 'ingress-nginx',
  repository: 'https://kubernetes.github.io/ingress-nginx',
  render: ({ values, namespace }) => {
    const controller = mapAt(values, 'controller')
    const kind = controller.kind === 'DaemonSet' ? 'DaemonSet' : 'Deployment'
    const isOnHosts = valueAt(controller, 'hostPort', 'enabled') === true
    const further = Object.keys(mapAt(values, 'tcp')).map(Number)
    return [
      clusterObject('networking.k8s.io/v1', 'IngressClass', 'nginx', { spec: { controller: 'k8s.io/ingress-nginx' } }),
      workload(kind, namespace, 'ingress-nginx-controller', {
        hostPorts: isOnHosts ? [80, 443, ...further] : [],
        replicas: Number(controller.replicaCount ?? 1),
      }),
      service(namespace, 'ingress-nginx-controller', 80, textAt(controller, 'service', 'type') ?? 'LoadBalancer'),
    ]
  },
}

const certManager: ChartTable = {
  chart: 'cert-manager',
  repository: 'https://charts.jetstack.io',
  render: ({ values, namespace }) => [
    ...(valueAt(values, 'crds', 'enabled') === true
      ? [
          crd('cert-manager.io', 'Certificate', 'certificates'),
          crd('cert-manager.io', 'Issuer', 'issuers'),
          crd('cert-manager.io', 'ClusterIssuer', 'clusterissuers', 'v1', 'Cluster'),
        ]
      : []),
    ...['cert-manager', 'cert-manager-webhook', 'cert-manager-cainjector'].map((name) =>
      workload(
        'Deployment',
        namespace,
        name,
        valueAt(values, 'crds', 'enabled') === true ? {} : { problem: 'the CRDs are not installed' },
      ),
    ),
  ],
}

export const networkCharts: readonly ChartTable[] = [cilium, metallb, traefik, ingressNginx, certManager]
