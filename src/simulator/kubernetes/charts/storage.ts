import { type JsonMap, mapAt, mapsAt, textAt, valueAt } from '../object.js'
import { type ChartTable, clusterObject, crd, everywhere, workload } from './chart.js'

function credentialProblem(values: JsonMap): string | undefined {
  const cluster = mapsAt(values, 'config', 'clusters')[0]
  const missing = ['url', 'token_id', 'token_secret', 'region'].find((key) => (textAt(cluster, key) ?? '') === '')
  return missing === undefined ? undefined : `failed to read the cloud config: cluster #1: ${missing} is required`
}

const ccm: ChartTable = {
  chart: 'proxmox-cloud-controller-manager',
  repository: 'oci://ghcr.io/sergelogvinov/charts',
  render: ({ values, namespace, release }) => [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: release, namespace, labels: { 'app.kubernetes.io/name': 'proxmox-cloud-controller-manager' } },
      type: 'Opaque',
      data: { 'config.yaml': Buffer.from(JSON.stringify(mapAt(values, 'config'))).toString('base64') },
    },
    workload('Deployment', namespace, release, {
      app: 'proxmox-cloud-controller-manager',
      tolerations: values.tolerations,
      nodeSelector: values.nodeSelector,
      problem: credentialProblem(values),
    }),
  ],
}

const csi: ChartTable = {
  chart: 'proxmox-csi-plugin',
  repository: 'oci://ghcr.io/sergelogvinov/charts',
  render: ({ values, namespace, release }) => [
    clusterObject('storage.k8s.io/v1', 'CSIDriver', 'csi.proxmox.sinextra.dev', { spec: { attachRequired: true } }),
    ...mapsAt(values, 'storageClass').map((one) => ({
      ...clusterObject('storage.k8s.io/v1', 'StorageClass', String(one.name)),
      metadata: { name: String(one.name), annotations: mapAt(one, 'annotations') },
      provisioner: 'csi.proxmox.sinextra.dev',
      parameters: { storage: one.storage },
      reclaimPolicy: one.reclaimPolicy,
      volumeBindingMode: 'WaitForFirstConsumer',
    })),
    workload('Deployment', namespace, `${release}-controller`, {
      tolerations: values.tolerations,
      nodeSelector: values.nodeSelector,
      problem: credentialProblem(values),
    }),
    workload('DaemonSet', namespace, `${release}-node`, {
      app: 'proxmox-csi-node',
      tolerations: valueAt(values, 'node', 'tolerations') ?? everywhere,
    }),
  ],
}

const longhorn: ChartTable = {
  chart: 'longhorn',
  repository: 'https://charts.longhorn.io',
  render: ({ namespace }) => [
    crd('longhorn.io', 'Volume', 'volumes', 'v1beta2'),
    crd('longhorn.io', 'Node', 'nodes', 'v1beta2'),
    clusterObject('storage.k8s.io/v1', 'CSIDriver', 'driver.longhorn.io', { spec: { attachRequired: true } }),
    {
      ...clusterObject('storage.k8s.io/v1', 'StorageClass', 'longhorn'),
      metadata: { name: 'longhorn', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'driver.longhorn.io',
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
    },
    workload('DaemonSet', namespace, 'longhorn-manager'),
    workload('Deployment', namespace, 'longhorn-driver-deployer'),
    workload('Deployment', namespace, 'longhorn-ui', { replicas: 2 }),
  ],
}

export const storageCharts: readonly ChartTable[] = [ccm, csi, longhorn]
