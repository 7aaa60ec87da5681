import { type ClusterState, nowStamp } from '../cluster-state.js'
import type { StoredObject } from '../object.js'
import type { KubeletOptions } from '../seam.js'
import type { Controller } from './controller.js'

const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']

/** Control planes show their static pods as mirror pods, which nobody can drain. */
export const mirrorStaticPods: Controller = ({ state }) => {
  for (const { options } of state.kubelets.values()) {
    const node = state.objects.find('nodes', undefined, options.nodeName)
    if (options.role !== 'controlplane' || node === undefined) continue
    for (const component of components) mirror(state, node, options, component)
  }
}

function mirror(state: ClusterState, node: StoredObject, options: KubeletOptions, component: string) {
  const name = `${component}-${options.nodeName}`
  const image = `registry.k8s.io/${component}:${options.version}`
  if (state.objects.find('pods', 'kube-system', name) !== undefined) return
  state.objects.put('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'kube-system',
      uid: state.nextUid(),
      creationTimestamp: nowStamp(state),
      labels: { 'k8s-app': component, component, tier: 'control-plane' },
      annotations: { 'kubernetes.io/config.mirror': component, 'kubernetes.io/config.source': 'file' },
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
