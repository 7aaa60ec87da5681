import { notKubernetes, objectFrom, pageFrom } from './answer.js'
import { isNotFound } from './kubernetes-error.js'
import type { KubernetesObject, ObjectKind } from './port.js'
import type { ResourcePaths } from './resource-paths.js'
import type { Call, Transport } from './transport.js'

/** Calls on objects of any kind. */
export interface ObjectCalls {
  find(
    kind: ObjectKind,
    namespace: string | undefined,
    name: string,
    signal: AbortSignal,
  ): Promise<KubernetesObject | undefined>
  list(
    kind: ObjectKind,
    namespace: string | undefined,
    options: { readonly labelSelector?: string; readonly fieldSelector?: string },
    signal: AbortSignal,
  ): Promise<KubernetesObject[]>
  /** Server-side apply of one object. */
  apply(
    object: KubernetesObject,
    options: { readonly fieldManager: string; readonly force: boolean },
    signal: AbortSignal,
  ): Promise<void>
  patch(
    kind: ObjectKind,
    namespace: string | undefined,
    name: string,
    body: unknown,
    verb: string,
    signal: AbortSignal,
  ): Promise<void>
  delete(kind: ObjectKind, namespace: string | undefined, name: string, signal: AbortSignal): Promise<void>
}

export function createObjectCalls(transport: Transport, paths: ResourcePaths): ObjectCalls {
  const pathOf = async (
    kind: ObjectKind,
    namespace: string | undefined,
    name: string | undefined,
    signal: AbortSignal,
  ) => {
    const { base, plural, namespaced } = await paths.get(kind, signal)
    const space = namespace ?? (name === undefined ? undefined : 'default')
    const scope = namespaced && space !== undefined ? `/namespaces/${encodeURIComponent(space)}` : ''
    return `${base}${scope}/${plural}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`
  }

  return {
    find: async (kind, namespace, name, signal) => {
      if ((await paths.find(kind, signal)) === undefined) return undefined
      const path = await pathOf(kind, namespace, name, signal)
      const call = { method: 'GET', path, verb: 'get', object: describe(kind, namespace, name) } as const
      const found = await transport.json(call, signal).then((answer) => ({ answer }), undefinedWhenMissing)
      return found === undefined ? undefined : objectFrom(found.answer, call.object)
    },
    list: async (kind, namespace, options, signal) => {
      if ((await paths.find(kind, signal)) === undefined) return []
      const path = await pathOf(kind, namespace, undefined, signal)
      return listAll(transport, kind, { path, verb: 'list' }, { ...options }, signal)
    },
    apply: async (object, { fieldManager, force }, signal) => {
      const { name = '', namespace } = object.metadata
      const { namespaced } = await paths.get(object, signal)
      const space = namespaced ? (namespace ?? 'default') : undefined
      const path = await pathOf(object, space, name, signal)
      const query = { fieldManager, force: String(force) }
      const contentType = 'application/apply-patch+yaml'
      await transport.json(
        {
          method: 'PATCH',
          path,
          query,
          contentType,
          body: object,
          verb: 'apply',
          object: describe(object, space, name),
        },
        signal,
      )
    },
    patch: async (kind, namespace, name, body, verb, signal) => {
      const path = await pathOf(kind, namespace, name, signal)
      const contentType = 'application/merge-patch+json'
      const query = { fieldManager: 'ichor' }
      await transport.json(
        { method: 'PATCH', path, query, contentType, body, verb, object: describe(kind, namespace, name) },
        signal,
      )
    },
    delete: async (kind, namespace, name, signal) => {
      if ((await paths.find(kind, signal)) === undefined) return
      const path = await pathOf(kind, namespace, name, signal)
      const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' }
      await transport
        .json({ method: 'DELETE', path, body, verb: 'delete', object: describe(kind, namespace, name) }, signal)
        .catch(undefinedWhenMissing)
    },
  }
}

const pageSize = 500

/** All pages of a list. */
export async function listAll(
  transport: Transport,
  kind: ObjectKind,
  call: Pick<Call, 'path' | 'verb' | 'headers'>,
  selectors: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<KubernetesObject[]> {
  const items: KubernetesObject[] = []
  const object = describe(kind, undefined, undefined)
  const seen = new Set<string | undefined>()
  for (let next: string | undefined; !seen.has(next); ) {
    seen.add(next)
    const query = { ...selectors, limit: String(pageSize), continue: next }
    const page = pageFrom(await transport.json({ ...call, method: 'GET', query, object }, signal), object)
    // Items of a list have neither kind nor API version, and callers need complete objects.
    items.push(...page.items.map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind })))
    if (page.next === undefined) return items
    next = page.next
  }
  // A list that starts over would never end.
  throw notKubernetes('list', object)
}

export function describe({ kind }: ObjectKind, namespace: string | undefined, name: string | undefined): string {
  if (name === undefined) return namespace === undefined ? `${kind} objects` : `${kind} objects of ${namespace}`
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`
}

function undefinedWhenMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error
  return undefined
}
