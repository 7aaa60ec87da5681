import { mapAt, numberAt, type StoredObject } from '../object.js'
import { mergePatch } from '../write/patches.js'
import { getLive, patchObject, type WriteOptions, type WriteTarget } from '../write/write-object.js'
import type { Answer, Call } from './call.js'

/** `kubectl scale`: the replicas of a workload as a separate object. */
export function answerScale(
  { state, method, body }: Call,
  target: WriteTarget,
  name: string,
  options: WriteOptions,
): Answer {
  const main = { resource: target.resource, namespace: target.namespace }
  const live = getLive(state, main, name)
  if (method === 'GET') return { status: 200, body: scaleOf(live) }
  const wanted = method === 'PUT' ? body : mergePatch(scaleOf(live), body)
  const replicas = numberAt(wanted, 'spec', 'replicas') ?? 0
  const patch = { type: 'application/merge-patch+json', body: { spec: { replicas } } }
  return { status: 200, body: scaleOf(patchObject(state, main, name, patch, options)) }
}

function scaleOf({ metadata, ...object }: StoredObject): object {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: numberAt(object, 'spec', 'replicas') ?? 0 },
    status: { replicas: numberAt(mapAt(object, 'status'), 'replicas') ?? 0 },
  }
}
