import { neverReady } from '../charts/chart.js'
import type { ClusterState } from '../cluster-state.js'
import { mapsAt, type StoredObject, textAt } from '../object.js'
import { hasServingCertificate } from '../serving-certificates.js'

/** Why a running pod is not ready; `undefined` if it is. Models only problems that operators really have. */
export function readinessProblem(state: ClusterState, pod: StoredObject): string | undefined {
  const stated = pod.metadata.annotations?.[neverReady]
  if (stated !== undefined) return stated
  const name = pod.metadata.labels?.['app.kubernetes.io/name'] ?? ''
  return problems[name]?.(state, pod)
}

const problems: Readonly<Record<string, (state: ClusterState, pod: StoredObject) => string | undefined>> = {
  'metrics-server': metricsProblem,
  'longhorn-manager': extensionProblem,
  'proxmox-csi-node': topologyProblem,
}

/** metrics-server trusts only kubelets with a certificate signed by the cluster, unless configured otherwise. */
function metricsProblem(state: ClusterState, pod: StoredObject): string | undefined {
  const args = mapsAt(pod, 'spec', 'containers').flatMap((one) => (Array.isArray(one.args) ? one.args : []))
  if (args.includes('--kubelet-insecure-tls')) return undefined
  const unsigned = state.objects.list('nodes').find((node) => !hasServingCertificate(state, node.metadata.name))
  return unsigned === undefined
    ? undefined
    : `Failed to scrape node ${unsigned.metadata.name}: x509: certificate signed by unknown authority`
}

const longhornExtensions = ['iscsi-tools', 'util-linux-tools']

function extensionProblem(state: ClusterState, pod: StoredObject): string | undefined {
  const node = textAt(pod, 'spec', 'nodeName') ?? ''
  const there = state.kubelets.get(node)?.options.extensions ?? []
  const missing = longhornExtensions.find((name) => !there.some((one) => one === name || one.endsWith(`/${name}`)))
  return missing === undefined
    ? undefined
    : `failed to check environment of ${node}: the Talos extension ${missing} is missing`
}

/** The CSI plugin finds its Proxmox host by the labels of its node. */
function topologyProblem(state: ClusterState, pod: StoredObject): string | undefined {
  const name = textAt(pod, 'spec', 'nodeName') ?? ''
  const labels = state.objects.find('nodes', undefined, name)?.metadata.labels ?? {}
  const missing = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'].find(
    (label) => labels[label] === undefined,
  )
  return missing === undefined ? undefined : `failed to get the topology of node ${name}: label ${missing} is missing`
}
