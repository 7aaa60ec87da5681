import { onTestFinished } from 'vitest'
import type { AddonContext } from '../../src/addons/addon.js'
import { installAddon } from '../../src/addons/install.js'
import { combineMachineNeeds, type PlannedAddon } from '../../src/addons/planned-addon.js'
import { type AddonsSettings, resolveAddons } from '../../src/addons/resolve-addons.js'
import { connectKubernetes } from '../../src/kubernetes/connect.js'
import type { KubernetesApi } from '../../src/kubernetes/port.js'
import { createDirectDialer } from '../../src/reach/direct.js'
import { startTestCluster, type TestCluster, type TestClusterOptions } from '../../src/simulator/kubernetes/testing.js'
import type { Clock } from '../../src/world.js'
import { addonsSchema } from './addons-schema.js'

export const signal = new AbortController().signal

const context: AddonContext = {
  clusterName: 'test',
  kubernetesVersion: 'v1.33.3',
  loadBalancer: ['10.0.10.200-10.0.10.220'],
  controlPlanes: 1,
  workers: 2,
  proxmox: { endpoint: 'https://pve1.example.com:8006', insecure: false, region: 'lab', datastore: 'local-lvm' },
  secrets: {
    'proxmox_ccm.token_id': 'test-ccm@pve!ichor',
    'proxmox_ccm.token_secret': 'a',
    'proxmox_csi.token_id': 'test-csi@pve!ichor',
    'proxmox_csi.token_secret': 'b',
    'flux.key': 'key',
    'argocd.key': 'key',
  },
}

export function plan(addons: Record<string, unknown>, given: Partial<AddonContext> = {}): PlannedAddon[] {
  return resolveAddons(addonsSchema.parse(addons) as AddonsSettings, { ...context, ...given })
}

export interface Lab {
  readonly cluster: TestCluster
  readonly api: KubernetesApi
  readonly clock: Clock
}

/** A cluster whose machines meet the needs of these addons. */
export async function startLab(
  planned: readonly PlannedAddon[],
  options: Pick<TestClusterOptions, 'rendersUnknownCharts'> = {},
): Promise<Lab> {
  const needs = combineMachineNeeds(planned)
  const cluster = await startTestCluster({
    speed: 400,
    facts: { cni: needs.cni, kubeProxy: needs.kubeProxy },
    ...options,
  })
  onTestFinished(() => cluster.close())
  const topology = { 'topology.kubernetes.io/region': 'lab', 'topology.kubernetes.io/zone': 'pve1' }
  const common = {
    rotateServerCertificates: needs.rotateServerCertificates,
    externalCloudProvider: needs.externalCloudProvider,
    extensions: needs.extensions,
    userVolumes: needs.userVolumes,
    labels: needs.topologyLabels ? topology : {},
  }
  const taints = [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }]
  cluster.addNode({ ...common, nodeName: 'cp-1', role: 'controlplane', addresses: ['10.0.10.11'], taints })
  cluster.addNode({ ...common, nodeName: 'wk-1', addresses: ['10.0.10.21'] })
  cluster.addNode({ ...common, nodeName: 'wk-2', addresses: ['10.0.10.22'] })
  const clock = {
    now: () => cluster.clock.now(),
    monotonic: () => cluster.clock.now(),
    sleep: (ms: number, abort: AbortSignal) => cluster.clock.sleep(ms, abort),
  }
  const credentials = async () => ({ ca: cluster.ca.crt, ...cluster.admin })
  const port = connectKubernetes({ dialer: createDirectDialer(), clock, credentials })
  return { cluster, api: port.at([{ host: cluster.host, port: cluster.port }]), clock }
}

export async function installAll({ api, clock }: Lab, planned: readonly PlannedAddon[]): Promise<string[]> {
  const notes: string[] = []
  for (const addon of planned) await installAddon({ api, clock, note: (line) => notes.push(line) }, addon, signal)
  return notes
}
