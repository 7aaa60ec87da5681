import { type ClusterState, nowStamp, splitApiVersion } from '../cluster-state.js'
import { isMap, type StoredObject, sameJson, withMeta } from '../object.js'
import { apiVersionOf, type Resource, resourceKey } from '../resources.js'
import { alreadyExists, badRequest, notFound, StatusError, staleVersion } from '../status-error.js'
import { admit } from './admit.js'
import { builtInRules, customRules, type MergeRules, schemalessRules } from './list-keys.js'
import { ownChanges, serverSideApply } from './managed-fields.js'
import { jsonPatch, mergePatch, strategicMergePatch } from './patches.js'

export interface WriteTarget {
  readonly resource: Resource
  readonly namespace: string | undefined
  readonly subresource?: string
}

export interface WriteOptions {
  readonly fieldManager: string
  readonly force: boolean
  readonly dryRun: boolean
}

export function createObject(
  state: ClusterState,
  target: WriteTarget,
  body: unknown,
  options: WriteOptions,
): StoredObject {
  const given = named(state, target, parseObject(body, target))
  if (state.objects.find(resourceKey(target.resource), target.namespace, given.metadata.name) !== undefined)
    throw alreadyExists(target.resource, given.metadata.name)
  return insert(state, target, ownChanges(undefined, given, writerOf(state, target, options), rulesOf(target)), options)
}

export function updateObject(
  state: ClusterState,
  target: WriteTarget,
  name: string,
  body: unknown,
  options: WriteOptions,
): StoredObject {
  const given = parseObject(body, target)
  const live = getLive(state, target, name)
  const { resourceVersion } = given.metadata
  if (resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion)
    throw staleVersion(target.resource, name)
  return replace(state, target, live, given, options)
}

const patchTypes = {
  'application/json-patch+json': (live: unknown, patch: unknown) => jsonPatch(live, patch),
  'application/merge-patch+json': (live: unknown, patch: unknown) => mergePatch(live, patch),
  'application/strategic-merge-patch+json': strategicMergePatch,
} as const

/** Any of the three patches; an apply patch goes to `applyObject`. */
export function patchObject(
  state: ClusterState,
  target: WriteTarget,
  name: string,
  patch: { readonly type: string; readonly body: unknown },
  options: WriteOptions,
): StoredObject {
  const live = getLive(state, target, name)
  const merge = patchTypes[patch.type as keyof typeof patchTypes]
  if (merge === undefined || (target.resource.custom && merge === strategicMergePatch))
    throw new StatusError(415, 'UnsupportedMediaType', 'the body of the request was in an unknown format')
  const merged = parseObject(merge(live, patch.body, rulesOf(target)), target)
  const wantedVersion =
    isMap(patch.body) && isMap(patch.body.metadata) ? patch.body.metadata.resourceVersion : undefined
  if (wantedVersion !== undefined && wantedVersion !== live.metadata.resourceVersion)
    throw staleVersion(target.resource, name)
  return replace(state, target, live, merged, options)
}

/** Server-side apply: creates what is missing. */
export function applyObject(
  state: ClusterState,
  target: WriteTarget,
  name: string,
  body: unknown,
  options: WriteOptions,
): { readonly object: StoredObject; readonly created: boolean } {
  const given = parseObject(isMap(body) ? { ...body, metadata: { ...metadataOf(body), name } } : body, target)
  const live = state.objects.find(resourceKey(target.resource), target.namespace, name)
  const writer = { ...writerOf(state, target, options), force: options.force }
  if (live === undefined) {
    if (target.subresource !== undefined) throw notFound(target.resource, name)
    const empty = { apiVersion: given.apiVersion, kind: given.kind, metadata: { name } }
    const applied = serverSideApply(empty, inNamespace(given, target), writer, rulesOf(target))
    return { object: insert(state, target, applied, options), created: true }
  }
  const merged = serverSideApply(live, inNamespace(given, target), writer, rulesOf(target))
  return { object: store(state, target, live, merged, options), created: false }
}

export function getLive(state: ClusterState, target: WriteTarget, name: string): StoredObject {
  const live = state.objects.find(resourceKey(target.resource), target.namespace, name)
  if (live === undefined) throw notFound(target.resource, name)
  return live
}

function insert(state: ClusterState, target: WriteTarget, given: StoredObject, options: WriteOptions): StoredObject {
  const { status, ...rest } = given
  const born = withMeta(
    target.resource.hasStatus
      ? (rest as StoredObject)
      : ({ ...rest, ...(status === undefined ? {} : { status }) } as StoredObject),
    {
      uid: state.nextUid(),
      creationTimestamp: nowStamp(state),
      ...(hasGeneration(target.resource) ? { generation: 1 } : {}),
    },
  )
  const stored = { ...admit(state, target.resource, born, undefined), apiVersion: apiVersionOf(target.resource) }
  return options.dryRun ? stored : state.objects.put(resourceKey(target.resource), stored)
}

function replace(
  state: ClusterState,
  target: WriteTarget,
  live: StoredObject,
  given: StoredObject,
  options: WriteOptions,
) {
  const kept = keepServerFields(live, inNamespace(given, target))
  const scoped = scopeToSubresource(target, live, kept)
  return store(
    state,
    target,
    live,
    ownChanges(live, scoped, writerOf(state, target, options), rulesOf(target)),
    options,
  )
}

function store(
  state: ClusterState,
  target: WriteTarget,
  live: StoredObject,
  next: StoredObject,
  options: WriteOptions,
) {
  const scoped = scopeToSubresource(target, live, keepServerFields(live, next))
  const changedSpec = hasGeneration(target.resource) && !sameJson(live.spec, scoped.spec)
  const aged = changedSpec ? withMeta(scoped, { generation: (live.metadata.generation ?? 1) + 1 }) : scoped
  const stored = { ...admit(state, target.resource, aged, live), apiVersion: live.apiVersion }
  if (options.dryRun) return stored
  const isLastFinalizerGone =
    stored.metadata.deletionTimestamp !== undefined && (stored.metadata.finalizers ?? []).length === 0
  if (isLastFinalizerGone && (live.metadata.finalizers ?? []).length > 0)
    return state.objects.remove(resourceKey(target.resource), target.namespace, live.metadata.name) ?? stored
  return state.objects.put(resourceKey(target.resource), stored)
}

/** A write of the status changes nothing else, and a write of the rest does not change the status. */
function scopeToSubresource(target: WriteTarget, live: StoredObject, next: StoredObject): StoredObject {
  if (!target.resource.hasStatus) return next
  const isStatusWrite = target.subresource === 'status' || target.subresource === 'approval'
  if (!isStatusWrite) return withStatus(next, live.status)
  return withStatus(
    { ...live, metadata: { ...live.metadata, managedFields: next.metadata.managedFields ?? [] } },
    next.status,
  )
}

function withStatus(object: StoredObject, status: unknown): StoredObject {
  const { status: _, ...rest } = object
  return (status === undefined ? rest : { ...rest, status }) as StoredObject
}

function keepServerFields(live: StoredObject, next: StoredObject): StoredObject {
  const { uid, creationTimestamp, generation, deletionTimestamp, deletionGracePeriodSeconds } = live.metadata
  return withMeta(next, {
    ...(uid === undefined ? {} : { uid }),
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    ...(generation === undefined ? {} : { generation }),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
  })
}

function hasGeneration(resource: Resource): boolean {
  return resource.hasStatus && !['Node', 'Namespace', 'Service', 'PersistentVolume'].includes(resource.kind)
}

function parseObject(body: unknown, { resource, subresource }: WriteTarget): StoredObject {
  if (!isMap(body)) throw badRequest('the body of the request is not an object')
  const { apiVersion, kind } = body
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw badRequest("Object 'Kind' is missing in the request body")
  const [group] = splitApiVersion(apiVersion)
  if (kind !== resource.kind && subresource === undefined)
    throw badRequest(
      `${kind} in version "${apiVersion}" cannot be handled as a ${resource.kind}: no kind "${kind}" is registered for this path`,
    )
  if (group !== resource.group && subresource === undefined)
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(resource)})`,
    )
  return { ...body, apiVersion, kind, metadata: metadataOf(body) }
}

function metadataOf(body: Readonly<Record<string, unknown>>): StoredObject['metadata'] {
  // The client's input is checked field by field afterwards.
  return (isMap(body.metadata) ? body.metadata : {}) as unknown as StoredObject['metadata']
}

function named(state: ClusterState, target: WriteTarget, object: StoredObject): StoredObject {
  const { name, generateName } = object.metadata
  if (name !== undefined && name !== '') return inNamespace(object, target)
  if (generateName === undefined)
    throw new StatusError(422, 'Invalid', `resource name may not be empty`, { kind: target.resource.kind })
  return inNamespace(withMeta(object, { name: `${generateName}${state.nextUid().slice(-5)}` }), target)
}

function inNamespace(object: StoredObject, { namespace }: WriteTarget): StoredObject {
  const given = object.metadata.namespace
  if (given !== undefined && given !== '' && given !== namespace)
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`)
  const { namespace: _, ...metadata } = object.metadata
  return { ...object, metadata: namespace === undefined ? metadata : { ...metadata, namespace } }
}

function writerOf(state: ClusterState, { subresource }: WriteTarget, { fieldManager }: WriteOptions) {
  return { manager: fieldManager, time: nowStamp(state), ...(subresource === undefined ? {} : { subresource }) }
}

function rulesOf({ resource }: WriteTarget): MergeRules {
  if (resource.schemaless) return schemalessRules
  return resource.custom ? customRules : builtInRules
}
