import { type ClusterState, nowStamp } from '../cluster-state.js'
import type { StoredObject } from '../object.js'
import type { KubeletOptions, StaticPod } from '../seam.js'
import type { Controller } from './controller.js'

const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']
const configVersionKey = 'talos.dev/config-version'
const secretsVersionKey = 'talos.dev/secrets-version'

/** Control planes show their static pods as mirror pods, which cannot be drained. A changed one is a new pod. */
export const mirrorStaticPods: Controller = ({ state }) => {
  for (const { options } of state.kubelets.values()) {
    const node = state.objects.find('nodes', undefined, options.nodeName)
    if (options.role !== 'controlplane' || node === undefined) continue
    for (const pod of options.staticPods?.() ?? defaultPods(options)) mirror(state, node, options, pod)
  }
}

function defaultPods({ version }: KubeletOptions): StaticPod[] {
  return components.map((name) => ({ name, image: `registry.k8s.io/${name}:${version}`, configVersion: '1' }))
}

function mirror(state: ClusterState, node: StoredObject, options: KubeletOptions, pod: StaticPod) {
  const { name: component, image, configVersion, secretsVersion = '1' } = pod
  const name = `${component}-${options.nodeName}`
  const before = state.objects.find('pods', 'kube-system', name)
  const annotations = before?.metadata.annotations
  const isSame =
    annotations?.[configVersionKey] === configVersion && annotations?.[secretsVersionKey] === secretsVersion
  if (before !== undefined && isSame) return
  if (before !== undefined) state.objects.remove('pods', 'kube-system', name)
  state.objects.put('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'kube-system',
      uid: state.nextUid(),
      creationTimestamp: nowStamp(state),
      labels: { 'k8s-app': component, component, tier: 'control-plane' },
      annotations: {
        'kubernetes.io/config.mirror': component,
        'kubernetes.io/config.source': 'file',
        [configVersionKey]: configVersion,
        [secretsVersionKey]: secretsVersion,
      },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Node', name: node.metadata.name, uid: node.metadata.uid ?? '', controller: true },
      ],
    },
    spec: {
      nodeName: options.nodeName,
      hostNetwork: true,
      restartPolicy: 'Always',
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
      containers: [{ name: component, image }],
    },
    status: { phase: 'Pending' },
  })
}
