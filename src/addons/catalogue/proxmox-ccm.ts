import { defineAddon, rollout } from '../addon.js'
import { onControlPlanes, proxmoxAuthority, proxmoxConfig } from './proxmox-config.js'

export const proxmoxCcm = defineAddon({
  name: 'proxmox_ccm',
  title: 'Proxmox cloud controller manager',
  summary: 'Proxmox cloud controller manager.',
  tried: 'chart',
  version: '0.2.28',
  namespace: 'kube-system',
  after: ['cilium', 'flannel'],
  machines: () => ({ externalCloudProvider: true }),
  identities: [
    {
      name: 'ccm',
      privileges: ['VM.Audit', 'Sys.Audit'],
      newerPrivileges: [{ from: 9, privilege: 'VM.GuestAgent.Audit' }],
    },
  ],
  install: ({ context, namespace, version }) => ({
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
      },
    },
  }),
  checks: ({ namespace }) => [rollout('Deployment', namespace, 'proxmox-cloud-controller-manager')],
})
