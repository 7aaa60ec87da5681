import type { KubernetesObject } from '../../kubernetes/port.js'
import { defineAddon, rollout } from '../addon.js'
import { onControlPlanes, proxmoxAuthority, proxmoxConfig } from './proxmox-config.js'

export const proxmoxCcm = defineAddon({
  name: 'proxmox_ccm',
  title: 'Proxmox cloud controller manager',
  summary: 'Proxmox cloud controller manager.',
  tried: 'chart',
  version: '0.2.28',
  namespace: 'kube-system',
  after: ['cilium', 'flannel', 'prometheus_crds'],
  machines: () => ({ externalCloudProvider: true }),
  identities: [
    {
      name: 'ccm',
      privileges: ['VM.Audit', 'Sys.Audit'],
      newerPrivileges: [{ from: 9, privilege: 'VM.GuestAgent.Audit' }],
    },
  ],
  install: ({ context, namespace, version, isMonitored }) => ({
    before: proxmoxAuthority(context, namespace).before,
    source: {
      kind: 'chart',
      repository: 'oci://ghcr.io/sergelogvinov/charts',
      chart: 'proxmox-cloud-controller-manager',
      version,
      release: 'proxmox-cloud-controller-manager',
      values: {
        config: proxmoxConfig(context, 'proxmox_ccm'),
        ...proxmoxAuthority(context, namespace).values,
        enabledControllers: ['cloud-node', 'cloud-node-lifecycle'],
        ...onControlPlanes,
        podAnnotations: {
          'prometheus.io/scrape': 'true',
          'prometheus.io/scheme': 'https',
          'prometheus.io/port': '10258',
        },
        // It cannot ask the API server who may read metrics: its chart gives it no right to.
        ...(isMonitored ? { extraArgs: ['--authorization-always-allow-paths=/healthz,/readyz,/livez,/metrics'] } : {}),
      },
    },
    ...(isMonitored ? { after: monitorObjects(namespace) } : {}),
  }),
  checks: ({ namespace }) => [rollout('Deployment', namespace, 'proxmox-cloud-controller-manager')],
})

/** The chart has none. The certificate of the metrics port is self-signed. */
function monitorObjects(namespace: string): readonly KubernetesObject[] {
  const labels = { 'app.kubernetes.io/name': 'proxmox-cloud-controller-manager' }
  const metadata = { name: 'proxmox-cloud-controller-manager-metrics', namespace, labels }
  const ports = [{ name: 'metrics', port: 10258, targetPort: 10258 }]
  const endpoints = [{ port: 'metrics', scheme: 'https', tlsConfig: { insecureSkipVerify: true } }]
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: 'None', selector: labels, ports } },
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata,
      spec: { selector: { matchLabels: labels }, namespaceSelector: { matchNames: [namespace] }, endpoints },
    },
  ]
}
