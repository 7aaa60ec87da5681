/** Where a key of etcd belongs. */
export interface KeyPlace {
  /** A range over it counts the keys of its kind: `/registry/pods/`. */
  readonly prefix: string
  /** `pods`, or `widgets.example.com`; empty for what is not an object of Kubernetes. */
  readonly kind: string
  /** Empty for objects outside of namespaces. */
  readonly namespace: string
}

/** Kinds whose path in etcd has another name than their API. */
const renamed: Readonly<Record<string, string>> = {
  minions: 'nodes',
  controllers: 'replicationcontrollers',
  'services/specs': 'services',
  'services/endpoints': 'endpoints',
}

/** Kubernetes writes `/registry/[GROUP/]RESOURCE/[NAMESPACE/]NAME`; a group has a dot in its name. */
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
