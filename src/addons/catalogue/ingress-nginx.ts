import { defineAddon, namespaceObject, portsOption, rollout } from '../addon.js'

export const ingressNginx = defineAddon({
  name: 'ingress_nginx',
  title: 'ingress-nginx',
  summary: 'Ingress by ingress-nginx.',
  tried: 'chart',
  version: '4.15.1',
  namespace: 'ingress-nginx',
  options: {
    host_ports: { kind: 'ports', help: 'Ports of the nodes on which it listens, where there is no load balancer.' },
  },
  after: ['cilium', 'flannel', 'metallb', 'prometheus_crds'],
  install: ({ settings, context, namespace, version, isMonitored }) => {
    const hostPorts = portsOption(settings, 'host_ports')
    const further = hostPorts.filter((port) => port !== 80 && port !== 443)
    const onHosts = {
      kind: 'DaemonSet',
      hostPort: { enabled: true, ports: { http: 80, https: 443 } },
      service: { type: 'ClusterIP' },
    }
    const behindBalancer = { replicaCount: context.workers > 1 ? 2 : 1, service: { type: 'LoadBalancer' } }
    return {
      before: [namespaceObject(namespace, 'privileged')],
      source: {
        kind: 'chart',
        repository: 'https://kubernetes.github.io/ingress-nginx',
        chart: 'ingress-nginx',
        version,
        release: 'ingress-nginx',
        values: {
          controller: {
            ingressClassResource: { default: true },
            ...(hostPorts.length > 0 ? onHosts : behindBalancer),
            ...(isMonitored ? { metrics: { enabled: true, serviceMonitor: { enabled: true } } } : {}),
          },
          ...(further.length > 0 ? { tcp: Object.fromEntries(further.map((port) => [port, ''])) } : {}),
        },
      },
    }
  },
  checks: ({ settings, namespace }) => [
    rollout(
      portsOption(settings, 'host_ports').length > 0 ? 'DaemonSet' : 'Deployment',
      namespace,
      'ingress-nginx-controller',
    ),
  ],
})
