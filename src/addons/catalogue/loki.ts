import { defineAddon, rollout } from '../addon.js'

export const loki = defineAddon({
  name: 'loki',
  title: 'Loki',
  summary: 'Logs by Loki.',
  tried: 'lab',
  version: '6.55.0',
  namespace: 'logging',
  options: {
    shipper: {
      kind: 'flag',
      default: true,
      help: 'Install `vector` with it, which sends the logs here. `false` where you have a shipper of your own.',
    },
  },
  brings: ({ shipper }) => (shipper === false ? [] : ['vector']),
  after: ['cilium', 'flannel', 'prometheus_crds', 'proxmox_csi', 'longhorn'],
  install: ({ version, isMonitored }) => ({
    source: {
      kind: 'chart',
      repository: 'https://grafana.github.io/helm-charts',
      chart: 'loki',
      version,
      release: 'loki',
      values: {
        deploymentMode: 'SingleBinary',
        loki: {
          auth_enabled: false,
          commonConfig: { replication_factor: 1 },
          storage: { type: 'filesystem' },
          useTestSchema: true,
        },
        singleBinary: { replicas: 1 },
        read: { replicas: 0 },
        write: { replicas: 0 },
        backend: { replicas: 0 },
        chunksCache: { enabled: false },
        resultsCache: { enabled: false },
        ...(isMonitored ? { monitoring: { serviceMonitor: { enabled: true } } } : {}),
      },
    },
  }),
  checks: ({ namespace }) => [rollout('StatefulSet', namespace, 'loki')],
  volumes: {
    needsUnless: {
      value: ['singleBinary', 'persistence'],
      example: 'singleBinary: { persistence: { storageClass: NAME } }',
    },
  },
  holdsData: true,
})
