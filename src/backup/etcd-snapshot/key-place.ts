/** The place of an etcd key. */
export interface KeyPlace {
  /** A range over it counts the keys of its kind: `/registry/pods/`. */
  readonly prefix: string
  /** `pods`, or `widgets.example.com`; empty for keys that are not Kubernetes objects. */
  readonly kind: string
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
}

/** Kinds whose path in etcd differs from their API name. */
const renamed: Readonly<Record<string, string>> = {
  minions: 'nodes',
  controllers: 'replicationcontrollers',
  'services/specs': 'services',
  'services/endpoints': 'endpoints',
}

/** Kubernetes writes `/registry/[GROUP/]RESOURCE/[NAMESPACE/]NAME`; a group name has a dot. */
export function placeOfKey(key: string): KeyPlace {
  const [, root, first = '', second = '', ...more] = key.split('/')
  if (!key.startsWith('/registry/') || root !== 'registry' || second === '') return otherKey(key)
  const isPair = first.includes('.') || renamed[`${first}/${second}`] !== undefined
  if (isPair && more.length === 0) return otherKey(key)
  const path = isPair ? `${first}/${second}` : first
  const rest = isPair ? more : [second, ...more]
  return {
    prefix: `/registry/${path}/`,
    kind: renamed[path] ?? (isPair ? `${second}.${first}` : first),
    namespace: rest.length > 1 ? (rest[0] ?? '') : '',
  }
}

function otherKey(key: string): KeyPlace {
  const slash = key.indexOf('/', 1)
  return { prefix: slash === -1 ? '' : key.slice(0, slash + 1), kind: '', namespace: '' }
}
