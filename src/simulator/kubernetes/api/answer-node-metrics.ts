import { mapsAt, type StoredObject, textAt, timestamp } from '../object.js'
import { authorize } from './authorize.js'
import type { Answer, Call } from './call.js'

const group = 'metrics.k8s.io'
const groupVersion = `${group}/v1beta1`
const base = `/apis/${groupVersion}`

/**
 * Nodes as metrics-server measures them; `undefined` for other paths, and while it is not installed. The real aggregator
 * passes the call on, and answers by itself while metrics-server is away.
 */
export function answerNodeMetrics({ state, user, path, method }: Call): Answer | undefined {
  if (method !== 'GET' || (path !== base && path !== `${base}/nodes`)) return undefined
  const service = state.objects.find('apiservices.apiregistration.k8s.io', undefined, `v1beta1.${group}`)
  if (service === undefined) return undefined
  if (!hasCondition(service, 'Available')) return { status: 503, body: 'service unavailable\n' }
  if (path === base) return { status: 200, body: resources }
  authorize(state, user, { verb: 'list', group, resource: 'nodes', namespace: undefined, name: undefined })
  const at = timestamp(state.clock.now())
  const items = state.objects
    .list('nodes')
    .filter((node) => hasCondition(node, 'Ready'))
    .map((node) => metricsOf(node, at))
  return { status: 200, body: { kind: 'NodeMetricsList', apiVersion: groupVersion, metadata: {}, items } }
}

const resources = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion,
  resources: [
    { name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs: ['get', 'list'] },
    { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] },
  ],
}

/** A third of its memory, and a little more for each letter of its name, so that no two look the same. */
function metricsOf(node: StoredObject, timestampOfSample: string) {
  const { name, labels } = node.metadata
  const total = Number.parseInt(textAt(node, 'status', 'capacity', 'memory') ?? '0', 10)
  const letters = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  return {
    metadata: { name, creationTimestamp: timestampOfSample, labels },
    timestamp: timestampOfSample,
    window: '20.05s',
    usage: { cpu: `${120_000_000 + letters * 1000}n`, memory: `${Math.round(total / 3) + letters * 100}Ki` },
  }
}

function hasCondition(object: StoredObject, wanted: string): boolean {
  return mapsAt(object, 'status', 'conditions').some(({ type, status }) => type === wanted && status === 'True')
}
