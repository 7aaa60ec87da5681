import { type ClusterState, nowStamp } from '../cluster-state.js'
import { mapAt, type StoredObject, textAt } from '../object.js'
import type { Controller } from './controller.js'
import { removePod } from './make-pod.js'

/** Deletes the contents of terminating namespaces, and objects without an owner. */
export const collectGarbage: Controller = ({ state }) => {
  for (const namespace of state.objects.list('namespaces')) {
    if (namespace.metadata.deletionTimestamp === undefined) ensureServiceAccount(state, namespace.metadata.name)
    else emptyNamespace(state, namespace)
  }
  deleteOrphans(state)
}

function ensureServiceAccount(state: ClusterState, namespace: string) {
  if (state.objects.find('serviceaccounts', namespace, 'default') !== undefined) return
  state.objects.put('serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default', namespace, uid: state.nextUid(), creationTimestamp: nowStamp(state) },
  })
}

function emptyNamespace(state: ClusterState, namespace: StoredObject) {
  const { name } = namespace.metadata
  let left = 0
  for (const [resource, objects] of Object.entries(state.objects.snapshot().objects))
    for (const object of objects.filter((one) => one.metadata.namespace === name))
      left += remove(state, resource, object) ? 0 : 1
  if (left === 0) state.objects.remove('namespaces', undefined, name)
}

/** Whether it is deleted at once: pods terminate gracefully, and finalizers block. */
function remove(state: ClusterState, resource: string, object: StoredObject): boolean {
  const { namespace, name, finalizers, deletionTimestamp } = object.metadata
  if (resource === 'pods' && textAt(object, 'spec', 'nodeName') !== undefined) {
    removePod(state, object)
    return false
  }
  if ((finalizers ?? []).length > 0) {
    if (deletionTimestamp === undefined)
      state.objects.put(resource, { ...object, metadata: { ...object.metadata, deletionTimestamp: nowStamp(state) } })
    return false
  }
  state.objects.remove(resource, namespace, name)
  return true
}

function deleteOrphans(state: ClusterState) {
  const { objects } = state.objects.snapshot()
  const alive = new Set(Object.values(objects).flatMap((all) => all.map((object) => object.metadata.uid)))
  for (const [resource, all] of Object.entries(objects))
    for (const object of all) {
      const owners = object.metadata.ownerReferences ?? []
      if (owners.length > 0 && owners.every((owner) => !alive.has(owner.uid)) && !isMirror(object))
        remove(state, resource, object)
    }
}

function isMirror(object: StoredObject): boolean {
  return mapAt(object, 'metadata', 'annotations')['kubernetes.io/config.mirror'] !== undefined
}
