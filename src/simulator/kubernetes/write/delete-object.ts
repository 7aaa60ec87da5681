import { type ClusterState, nowStamp } from '../cluster-state.js'
import { mapAt, numberAt, type StoredObject, textAt, withMeta } from '../object.js'
import { resourceKey } from '../resources.js'
import { StatusError } from '../status-error.js'
import { getLive, type WriteTarget } from './write-object.js'

/** The options in the body or query of a DELETE. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly dryRun: boolean
}

/** Returns the object afterwards: deleted, or waiting for its finalizers, its kubelet or its contents. */
export function deleteObject(
  state: ClusterState,
  target: WriteTarget,
  name: string,
  options: DeleteOptions,
): StoredObject {
  const live = getLive(state, target, name)
  checkPreconditions(target, live, options)
  if (options.dryRun) return live
  if (options.propagationPolicy === 'Orphan') orphanDependents(state, live)
  const grace = graceOf(target, live, options)
  if ((live.metadata.finalizers ?? []).length === 0 && grace === 0 && target.resource.kind !== 'Namespace')
    return state.objects.remove(resourceKey(target.resource), target.namespace, name) ?? live
  return state.objects.put(resourceKey(target.resource), doomed(state, target, live, grace))
}

function doomed(state: ClusterState, target: WriteTarget, live: StoredObject, grace: number): StoredObject {
  const marked = withMeta(live, {
    deletionTimestamp: live.metadata.deletionTimestamp ?? nowStamp(state),
    deletionGracePeriodSeconds: grace,
  })
  return target.resource.kind === 'Namespace'
    ? { ...marked, status: { ...mapAt(live, 'status'), phase: 'Terminating' } }
    : marked
}

/** Only a pod that a kubelet has gets a grace period. */
function graceOf({ resource }: WriteTarget, live: StoredObject, { gracePeriodSeconds }: DeleteOptions): number {
  if (resource.kind !== 'Pod' || textAt(live, 'spec', 'nodeName') === undefined) return 0
  if (['Succeeded', 'Failed'].includes(textAt(live, 'status', 'phase') ?? '')) return 0
  return gracePeriodSeconds ?? numberAt(live, 'spec', 'terminationGracePeriodSeconds') ?? 30
}

function checkPreconditions(
  { resource }: WriteTarget,
  { metadata }: StoredObject,
  { uid, resourceVersion }: DeleteOptions,
) {
  const complain = (what: string, wanted: string, found: string | undefined) =>
    new StatusError(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${resourceKey(resource)} "${metadata.name}": the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). The object might have been deleted and then recreated`,
    )
  if (uid !== undefined && uid !== metadata.uid) throw complain('UID', uid, metadata.uid)
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion)
    throw complain('ResourceVersion', resourceVersion, metadata.resourceVersion)
}

function orphanDependents(state: ClusterState, owner: StoredObject) {
  for (const [resource, objects] of Object.entries(state.objects.snapshot().objects))
    for (const object of objects) {
      const owners = object.metadata.ownerReferences ?? []
      const left = owners.filter((one) => one.uid !== owner.metadata.uid)
      if (left.length < owners.length) state.objects.put(resource, withMeta(object, { ownerReferences: left }))
    }
}
