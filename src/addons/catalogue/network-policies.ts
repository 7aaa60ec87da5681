import type { KubernetesObject } from '../../kubernetes/port.js'
import { defineAddon } from '../addon.js'

export const networkPolicies = defineAddon({
  name: 'network_policies',
  title: 'Network policies',
  summary: 'Default-deny NetworkPolicies.',
  tried: 'no-chart',
  version: '1',
  namespace: 'default',
  options: { namespaces: { kind: 'names', default: ['default'], help: 'Namespaces that are closed.' } },
  after: ['cilium'],
  install: ({ settings }) => ({
    source: { kind: 'manifests', objects: namesOf(settings.namespaces).flatMap(policiesFor) },
  }),
  checks: ({ settings }) =>
    namesOf(settings.namespaces).map((namespace) => ({
      kind: 'exists',
      apiVersion: 'networking.k8s.io/v1',
      objectKind: 'NetworkPolicy',
      namespace,
      name: 'ichor-default-deny',
    })),
})

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : ['default']
}

/** Closed in both directions, except for DNS. */
function policiesFor(namespace: string): KubernetesObject[] {
  const policy = (name: string, spec: object): KubernetesObject => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace },
    spec,
  })
  const dns = {
    to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }],
    ports: [
      { protocol: 'UDP', port: 53 },
      { protocol: 'TCP', port: 53 },
    ],
  }
  return [
    policy('ichor-default-deny', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] }),
    policy('ichor-allow-dns', { podSelector: {}, policyTypes: ['Egress'], egress: [dns] }),
  ]
}
