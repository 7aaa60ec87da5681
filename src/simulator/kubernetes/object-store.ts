import { type StoredObject, sameJson, withMeta } from './object.js'

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly resource: string
  readonly object: StoredObject
  /** The object before a change or deletion: a watch by label must know what left its view. */
  readonly before?: StoredObject
  readonly revision: number
}

/** The content of etcd: objects by resource, each change with its own revision. */
export interface ObjectStore {
  readonly revision: number
  list(resource: string): readonly StoredObject[]
  find(resource: string, namespace: string | undefined, name: string): StoredObject | undefined
  /**
   * Writes it with a new revision; the same content under the same key changes nothing. Returns the stored object.
   * `seal` names the encryption key of a Secret; by default that of any running API server.
   */
  put(resource: string, object: StoredObject, seal?: string): StoredObject
  /** The encryption key of a Secret. */
  sealOf(resource: string, namespace: string | undefined, name: string): string | undefined
  remove(resource: string, namespace: string | undefined, name: string): StoredObject | undefined
  /** Changes after that revision; `undefined` if they are no longer stored. */
  changesSince(revision: number): readonly Change[] | undefined
  subscribe(listener: (change: Change) => void): () => void
  snapshot(): StoreSnapshot
}

export interface StoreSnapshot {
  readonly revision: number
  readonly objects: Readonly<Record<string, readonly StoredObject[]>>
  /** Encryption keys of Secrets, by `namespace/name`. */
  readonly seals?: Readonly<Record<string, string>>
}

/** Only these are encrypted in etcd. */
export const sealedResource = 'secrets'

const rememberedChanges = 10_000

/** @param usualSeal the key for Secrets that are written without an API server. */
export function createObjectStore(
  from?: StoreSnapshot,
  usualSeal: () => string | undefined = () => undefined,
): ObjectStore {
  const tables = new Map<string, Map<string, StoredObject>>()
  const listeners = new Set<(change: Change) => void>()
  const seals = new Map(Object.entries(from?.seals ?? {}))
  let history: Change[] = []
  let revision = from?.revision ?? 1
  let oldestKnown = revision
  for (const [resource, objects] of Object.entries(from?.objects ?? {}))
    tables.set(
      resource,
      new Map(objects.map((object) => [keyOf(object.metadata.namespace, object.metadata.name), object])),
    )

  const tableOf = (resource: string) => {
    const known = tables.get(resource)
    if (known !== undefined) return known
    const fresh = new Map<string, StoredObject>()
    tables.set(resource, fresh)
    return fresh
  }
  const notify = (change: Change) => {
    history.push(change)
    if (history.length > rememberedChanges * 2) {
      history = history.slice(-rememberedChanges)
      oldestKnown = (history[0]?.revision ?? revision) - 1
    }
    for (const listener of listeners) listener(change)
  }

  return {
    get revision() {
      return revision
    },
    list: (resource) => [...(tables.get(resource)?.values() ?? [])],
    find: (resource, namespace, name) => tables.get(resource)?.get(keyOf(namespace, name)),
    sealOf: (resource, namespace, name) =>
      resource === sealedResource ? seals.get(keyOf(namespace, name)) : undefined,
    put: (resource, object, given) => {
      const key = keyOf(object.metadata.namespace, object.metadata.name)
      const before = tableOf(resource).get(key)
      const seal = resource === sealedResource ? (given ?? usualSeal()) : undefined
      const isStale = seal !== undefined && seals.get(key) !== seal
      if (before !== undefined && isSame(before, object) && !isStale) return before
      if (seal !== undefined) seals.set(key, seal)
      revision++
      const stored = withMeta(object, { resourceVersion: String(revision) })
      tableOf(resource).set(key, stored)
      notify(
        before === undefined
          ? { type: 'ADDED', resource, object: stored, revision }
          : { type: 'MODIFIED', resource, object: stored, before, revision },
      )
      return stored
    },
    remove: (resource, namespace, name) => {
      const key = keyOf(namespace, name)
      const before = tables.get(resource)?.get(key)
      if (before === undefined) return undefined
      tables.get(resource)?.delete(key)
      if (resource === sealedResource) seals.delete(key)
      revision++
      const object = withMeta(before, { resourceVersion: String(revision) })
      notify({ type: 'DELETED', resource, object, before, revision })
      return object
    },
    changesSince: (since) => (since < oldestKnown ? undefined : history.filter((change) => change.revision > since)),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    snapshot: () => ({
      revision,
      objects: Object.fromEntries([...tables].map(([resource, table]) => [resource, [...table.values()]])),
      seals: Object.fromEntries(seals),
    }),
  }
}

function keyOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`
}

function isSame(before: StoredObject, after: StoredObject): boolean {
  return sameJson(comparable(before), comparable(after))
}

/** Times of managed fields change with every request and are not a change of the object. */
function comparable({ metadata, ...rest }: StoredObject): unknown {
  const { resourceVersion: _, managedFields, ...meta } = metadata
  return { ...rest, metadata: { ...meta, managedFields: managedFields?.map(({ time: __, ...entry }) => entry) } }
}
