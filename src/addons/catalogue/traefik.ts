import { type AddonContext, type AddonSettings, defineAddon, namespaceObject, portsOption, rollout } from '../addon.js'

/** Entry points of host ports: the chart's two, and further TCP ones. */
const known: Readonly<Record<number, string>> = { 80: 'web', 443: 'websecure' }

const monitored = { prometheus: { service: { enabled: true }, serviceMonitor: { enabled: true } } }

export const traefik = defineAddon({
  name: 'traefik',
  title: 'Traefik',
  summary: 'Ingress by Traefik.',
  tried: 'chart',
  version: '41.3.0',
  namespace: 'traefik',
  options: {
    host_ports: { kind: 'ports', help: 'Ports of the nodes on which it listens, where there is no load balancer.' },
  },
  after: ['cilium', 'flannel', 'metallb', 'prometheus_crds'],
  install: ({ settings, context, namespace, version, isMonitored }) => ({
    before: [namespaceObject(namespace, 'privileged')],
    source: {
      kind: 'chart',
      repository: 'https://traefik.github.io/charts',
      chart: 'traefik',
      version,
      release: 'traefik',
      values: { ...valuesFor(settings, context), ...(isMonitored ? { metrics: monitored } : {}) },
    },
  }),
  checks: ({ settings, namespace }) => [
    rollout(portsOption(settings, 'host_ports').length > 0 ? 'DaemonSet' : 'Deployment', namespace, 'traefik'),
  ],
})

function valuesFor(settings: AddonSettings, { workers }: AddonContext): Readonly<Record<string, unknown>> {
  const hostPorts = portsOption(settings, 'host_ports')
  const ingressClass = { enabled: true, isDefaultClass: true }
  if (hostPorts.length === 0)
    return { ingressClass, deployment: { replicas: workers > 1 ? 2 : 1 }, service: { type: 'LoadBalancer' } }
  return {
    ingressClass,
    deployment: { kind: 'DaemonSet' },
    service: { type: 'ClusterIP' },
    ports: Object.fromEntries(hostPorts.map((port) => [known[port] ?? `tcp-${port}`, portValues(port)])),
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
  }
}

function portValues(port: number): object {
  if (known[port] !== undefined) return { hostPort: port }
  return { port, exposedPort: port, hostPort: port, protocol: 'TCP', expose: { default: true } }
}
