import type { ClusterState } from '../cluster-state.js'
import type { StoredObject } from '../object.js'
import { apiVersionOf, type Resource, resourceKey } from '../resources.js'
import { parseFieldSelector, parseLabelSelector } from '../selector.js'
import { badRequest, StatusError } from '../status-error.js'

export type View = (object: StoredObject) => boolean

/** The objects of a list, a watch or a deletion of many. */
export function viewOf(namespace: string | undefined, name: string | undefined, query: URLSearchParams): View {
  try {
    const labels = parseLabelSelector(query.get('labelSelector') ?? '')
    const fields = parseFieldSelector(query.get('fieldSelector') ?? '')
    return (object) =>
      (namespace === undefined || object.metadata.namespace === namespace) &&
      (name === undefined || object.metadata.name === name) &&
      labels(object.metadata.labels ?? {}) &&
      fields(object)
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error))
  }
}

export interface Page {
  readonly items: readonly StoredObject[]
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
}

/** In order of namespace and name, limited to `limit`. */
export function listPage(state: ClusterState, resource: Resource, view: View, query: URLSearchParams): Page {
  const all = state.objects.list(resourceKey(resource)).filter(view).sort(byKey)
  const after = decodeContinue(query.get('continue'))
  const rest = after === undefined ? all : all.filter((object) => keyOf(object) > after)
  const limit = Number(query.get('limit') ?? 0)
  const items = limit > 0 ? rest.slice(0, limit) : rest
  const last = items.at(-1)
  const left = rest.length - items.length
  const resourceVersion = String(state.objects.revision)
  return left > 0 && last !== undefined
    ? { items, metadata: { resourceVersion, continue: encodeContinue(keyOf(last)), remainingItemCount: left } }
    : { items, metadata: { resourceVersion } }
}

/** An object in the version of the path. */
export function inVersion(object: StoredObject, resource: Resource, version: string): StoredObject {
  const apiVersion = resource.group === '' ? version : `${resource.group}/${version}`
  return apiVersion === apiVersionOf(resource) ? object : { ...object, apiVersion }
}

function keyOf({ metadata: { namespace = '', name } }: StoredObject): string {
  return `${namespace}/${name}`
}

function byKey(one: StoredObject, other: StoredObject): number {
  return keyOf(one) < keyOf(other) ? -1 : 1
}

function encodeContinue(key: string): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', start: key })).toString('base64url')
}

function decodeContinue(token: string | null): string | undefined {
  if (token === null || token === '') return undefined
  try {
    return String(JSON.parse(Buffer.from(token, 'base64url').toString()).start)
  } catch {
    throw new StatusError(400, 'BadRequest', 'continue key is not valid')
  }
}
