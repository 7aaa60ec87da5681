import { defineAddon, namespaceObject, rollout, textOption } from '../addon.js'
import { onControlPlanes, proxmoxAuthority, proxmoxConfig } from './proxmox-config.js'

export const proxmoxCsi = defineAddon({
  name: 'proxmox_csi',
  title: 'Proxmox CSI',
  summary: 'Volumes on Proxmox storages.',
  tried: 'chart',
  version: '0.5.9',
  namespace: 'csi-proxmox',
  options: {
    datastore: { kind: 'storage', help: 'Storage of the volumes. Default: `proxmox.datastore`.' },
    storage_class: { kind: 'text', default: 'proxmox', help: 'Name of the StorageClass.' },
    default_class: { kind: 'flag', default: true, help: 'It is the default StorageClass.' },
  },
  after: ['cilium', 'flannel', 'proxmox_ccm'],
  machines: () => ({ topologyLabels: true }),
  identities: [
    {
      name: 'csi',
      privileges: ['VM.Audit', 'VM.Config.Disk', 'Datastore.Allocate', 'Datastore.AllocateSpace', 'Datastore.Audit'],
    },
  ],
  install: ({ settings, context, namespace, version }) => ({
    before: [namespaceObject(namespace, 'privileged'), ...proxmoxAuthority(context, namespace).before],
    source: {
      kind: 'chart',
      repository: 'oci://ghcr.io/sergelogvinov/charts',
      chart: 'proxmox-csi-plugin',
      version,
      release: 'proxmox-csi-plugin',
      values: {
        config: proxmoxConfig(context, 'proxmox_csi'),
        ...proxmoxAuthority(context, namespace).values,
        ...onControlPlanes,
        node: { nodeSelector: {}, tolerations: [{ operator: 'Exists' }] },
        storageClass: [
          {
            name: textOption(settings, 'storage_class') ?? 'proxmox',
            storage: textOption(settings, 'datastore') ?? context.proxmox.datastore,
            reclaimPolicy: 'Delete',
            fstype: 'ext4',
            annotations: { 'storageclass.kubernetes.io/is-default-class': String(settings.default_class !== false) },
          },
        ],
      },
    },
  }),
  checks: ({ settings, namespace }) => [
    rollout('Deployment', namespace, 'proxmox-csi-plugin-controller'),
    rollout('DaemonSet', namespace, 'proxmox-csi-plugin-node'),
    {
      kind: 'exists',
      apiVersion: 'storage.k8s.io/v1',
      objectKind: 'StorageClass',
      name: textOption(settings, 'storage_class') ?? 'proxmox',
    },
  ],
  volumes: { brings: ({ default_class }) => default_class !== false },
  holdsData: true,
})
