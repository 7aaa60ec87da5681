/** A request for objects, parsed: `/apis/apps/v1/namespaces/default/deployments/web/status`. */
export interface ResourceRoute {
  readonly group: string
  readonly version: string
  readonly namespace: string | undefined
  readonly plural: string
  readonly name: string | undefined
  readonly subresource: string | undefined
}

const ofNamespaceItself = new Set(['status', 'finalize'])

/** `undefined` for paths without a resource, such as `/version` or `/apis/apps/v1`. */
export function parseRoute(path: string): ResourceRoute | undefined {
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent)
  const [root, ...rest] = parts
  if (root === 'api') return inVersion('', rest)
  if (root === 'apis') return inVersion(rest[0] ?? '', rest.slice(1))
  return undefined
}

function inVersion(group: string, [version, ...rest]: readonly string[]): ResourceRoute | undefined {
  if (version === undefined || rest.length === 0) return undefined
  const [first = '', second, third, fourth, fifth] = rest
  const isInNamespace = first === 'namespaces' && third !== undefined && !ofNamespaceItself.has(third)
  return isInNamespace
    ? { group, version, namespace: second, plural: third, name: fourth, subresource: fifth }
    : { group, version, namespace: undefined, plural: first, name: second, subresource: third }
}
