import { type ClusterState, nowStamp, type RunningKubelet } from '../cluster-state.js'
import { type JsonMap, mapAt, mapsAt, type StoredObject, textAt, timestamp } from '../object.js'
import type { KubeletOptions } from '../seam.js'
import { type Controller, isReady, withCondition } from './controller.js'
import { newNode } from './new-node.js'

const registrationMs = 2_000
/** After this time without a heartbeat, a node counts as lost. */
const graceMs = 40_000

/** Kubelets register and send heartbeats; the node controller notices when they stop. */
export const runNodes: Controller = ({ state, now, wakeIn }) => {
  const networked = nodesWithCni(state)
  for (const kubelet of state.kubelets.values()) {
    if (!kubelet.options.canReachApi()) continue
    const age = now - kubelet.startedAt
    if (age < registrationMs) wakeIn(registrationMs - age)
    else report(state, kubelet, networked, now)
  }
  for (const node of state.objects.list('nodes')) {
    if (isReporting(state, node)) continue
    const silentFor = now - (state.lastSeen.get(node.metadata.name) ?? 0)
    if (silentFor < graceMs) wakeIn(graceMs - silentFor)
    else settle(state, node, 'Unknown')
  }
}

function isReporting(state: ClusterState, node: StoredObject): boolean {
  const kubelet = state.kubelets.get(node.metadata.name)
  return kubelet?.options.canReachApi() === true
}

function report(state: ClusterState, kubelet: RunningKubelet, networked: ReadonlySet<string>, now: number) {
  const { options } = kubelet
  state.lastSeen.set(options.nodeName, now)
  const known = state.objects.find('nodes', undefined, options.nodeName)
  if (known === undefined && kubelet.hasRegistered) return
  kubelet.hasRegistered = true
  const hasNetwork = networked.has(options.nodeName)
  // Most heartbeats of a large cluster change nothing.
  if (known !== undefined && known === kubelet.reported?.node && hasNetwork === kubelet.reported.hasNetwork) return
  const node = known ?? state.objects.put('nodes', newNode(options, state.nextUid(), timestamp(now)))
  if (known === undefined) note(state, 'node.registered', options.nodeName)
  const settled = settle(state, withKubeletFacts(node, kubelet), hasNetwork ? 'True' : 'False')
  kubelet.reported = { node: settled, hasNetwork }
}

/** An upgraded kubelet reports its new version under the same name; its own labels are set again. */
function withKubeletFacts(node: StoredObject, { options }: RunningKubelet): StoredObject {
  const fresh = newNode(options, node.metadata.uid ?? '', '')
  const status = mapAt(fresh, 'status')
  const { taints, owned } = ownTaints(node, options)
  return {
    ...node,
    metadata: {
      ...node.metadata,
      labels: { ...node.metadata.labels, ...fresh.metadata.labels },
      annotations: { ...node.metadata.annotations, ...fresh.metadata.annotations, ...owned },
    },
    spec: { ...mapAt(node, 'spec'), ...(taints === undefined ? {} : { taints }) },
    status: { ...mapAt(node, 'status'), nodeInfo: status.nodeInfo, addresses: status.addresses },
  }
}

const ownedTaints = 'talos.dev/owned-taints'

/** Talos sets the taints of control planes to those in their config; a worker may only register with its own. */
function ownTaints(node: StoredObject, { role, taints: wanted }: KubeletOptions) {
  if (role !== 'controlplane') return { owned: {} }
  const before = JSON.parse(node.metadata.annotations?.[ownedTaints] ?? '[]') as string[]
  const keys = wanted.map(({ key }) => key)
  const others = mapsAt(node, 'spec', 'taints').filter(({ key }) => ![...before, ...keys].includes(String(key)))
  return { taints: [...others, ...wanted], owned: { [ownedTaints]: JSON.stringify(keys) } }
}

const reasons = {
  True: { reason: 'KubeletReady', message: 'kubelet is posting ready status' },
  False: {
    reason: 'KubeletNotReady',
    message:
      'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
  },
  Unknown: { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' },
} as const

function settle(state: ClusterState, node: StoredObject, ready: keyof typeof reasons): StoredObject {
  const stamp = nowStamp(state)
  const conditions = withCondition(node, { type: 'Ready', status: ready, ...reasons[ready] }, stamp)
  const taints = [
    ...mapsAt(node, 'spec', 'taints').filter((taint) => !isLifecycleTaint(taint)),
    ...lifecycleTaints(node, ready),
  ]
  const spec = {
    ...mapAt(node, 'spec'),
    ...(taints.length > 0 || mapAt(node, 'spec').taints !== undefined ? { taints } : {}),
  }
  if (taints.length === 0) delete (spec as { taints?: unknown }).taints
  const wasReady = isReady(state.objects.find('nodes', undefined, node.metadata.name))
  const settled = state.objects.put('nodes', { ...node, spec, status: { ...mapAt(node, 'status'), conditions } })
  if (wasReady !== (ready === 'True'))
    note(state, ready === 'True' ? 'node.ready' : 'node.not-ready', node.metadata.name)
  return settled
}

const lifecycleKeys = [
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/unschedulable',
]

function isLifecycleTaint(taint: JsonMap): boolean {
  return lifecycleKeys.includes(String(taint.key))
}

function lifecycleTaints(node: StoredObject, ready: keyof typeof reasons): JsonMap[] {
  const key = ready === 'False' ? 'node.kubernetes.io/not-ready' : 'node.kubernetes.io/unreachable'
  const health = ready === 'True' ? [] : ['NoSchedule', 'NoExecute'].map((effect) => ({ key, effect }))
  const cordon = mapAt(node, 'spec').unschedulable === true
  return [...health, ...(cordon ? [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] : [])]
}

const cniNames = /^(kube-flannel|flannel|cilium|calico-node|canal|weave-net|antrea-agent|kube-router)$/

/** A CNI exists once a pod of a known one runs on a node: it writes the configuration that the runtime waits for. */
function nodesWithCni(state: ClusterState): Set<string> {
  const pods = state.objects
    .list('pods')
    .filter(
      (pod) =>
        mapAt(pod, 'spec').hostNetwork === true &&
        pod.metadata.ownerReferences?.some((owner) => owner.kind === 'DaemonSet' && cniNames.test(owner.name)) ===
          true &&
        isReady(pod),
    )
  return new Set(pods.flatMap((pod) => textAt(pod, 'spec', 'nodeName') ?? []))
}

function note(state: ClusterState, event: string, subject: string) {
  state.ledger.record({ at: state.clock.now(), surface: 'kubernetes', event, subject, mutating: false })
}
