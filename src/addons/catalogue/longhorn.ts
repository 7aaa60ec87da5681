import { defineAddon, namespaceObject, rollout, textOption } from '../addon.js'

export const longhorn = defineAddon({
  name: 'longhorn',
  title: 'Longhorn',
  summary: 'Volumes replicated over the disks of the nodes.',
  tried: 'other',
  version: '1.12.1',
  namespace: 'longhorn-system',
  options: {
    volume: { kind: 'text', default: 'longhorn', help: 'User volume (see `disks`) that holds the data.' },
    replicas: { kind: 'count', default: 2, max: 10, help: 'Copies of each volume.' },
  },
  after: ['cilium', 'flannel', 'prometheus_crds'],
  machines: (settings) => ({
    extensions: ['siderolabs/iscsi-tools', 'siderolabs/util-linux-tools'],
    userVolumes: [textOption(settings, 'volume') ?? 'longhorn'],
  }),
  install: ({ settings, namespace, version, isMonitored }) => ({
    before: [namespaceObject(namespace, 'privileged')],
    source: {
      kind: 'chart',
      repository: 'https://charts.longhorn.io',
      chart: 'longhorn',
      version,
      release: 'longhorn',
      values: {
        defaultSettings: {
          defaultDataPath: `/var/mnt/${textOption(settings, 'volume') ?? 'longhorn'}`,
          defaultReplicaCount: settings.replicas,
        },
        persistence: { defaultClassReplicaCount: settings.replicas },
        // The job that checks nodes before an upgrade cannot run where the chart's own job runs.
        preUpgradeChecker: { jobEnabled: false },
        ...(isMonitored ? { metrics: { serviceMonitor: { enabled: true } } } : {}),
      },
    },
  }),
  checks: ({ namespace }) => [
    rollout('DaemonSet', namespace, 'longhorn-manager'),
    rollout('Deployment', namespace, 'longhorn-driver-deployer'),
  ],
  volumes: { brings: () => true },
  holdsData: true,
})
