import { type ClusterState, nowStamp } from '../cluster-state.js'
import { mapAt, mapsAt, type StoredObject, textAt } from '../object.js'
import { matcherOf } from '../selector.js'
import { type Controller, isReady, ownerReferenceOf } from './controller.js'

const slices = 'endpointslices.discovery.k8s.io'

/** The pods behind each service that selects some. */
export const sliceEndpoints: Controller = ({ state }) => {
  const pods = state.objects.list('pods')
  for (const service of state.objects.list('services')) {
    const { selector } = mapAt(service, 'spec')
    if (selector === undefined) continue
    const matches = matcherOf({ matchLabels: selector })
    const chosen = pods.filter(
      ({ metadata }) => metadata.namespace === service.metadata.namespace && matches(metadata.labels ?? {}),
    )
    state.objects.put(slices, sliceOf(state, service, chosen))
  }
}

function sliceOf(state: ClusterState, service: StoredObject, pods: readonly StoredObject[]): StoredObject {
  const { namespace, name } = service.metadata
  const known = state.objects.find(slices, namespace, `${name}-lab`)
  const uid = known?.metadata.uid ?? state.nextUid()
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...known?.metadata,
      name: `${name}-lab`,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      creationTimestamp: known?.metadata.creationTimestamp ?? nowStamp(state),
      labels: { 'kubernetes.io/service-name': name, 'endpointslice.kubernetes.io/managed-by': 'lab' },
      ownerReferences: [ownerReferenceOf(service)],
    },
    addressType: 'IPv4',
    ports: mapsAt(service, 'spec', 'ports').map(({ name: port, port: number, protocol }) => ({
      name: port ?? '',
      port: number,
      protocol: protocol ?? 'TCP',
    })),
    endpoints: pods.flatMap((pod) => endpointOf(pod)),
  }
}

function endpointOf(pod: StoredObject) {
  const address = textAt(pod, 'status', 'podIP')
  if (address === undefined) return []
  const ready = isReady(pod) && pod.metadata.deletionTimestamp === undefined
  return [{ addresses: [address], conditions: { ready, serving: ready, terminating: false } }]
}
