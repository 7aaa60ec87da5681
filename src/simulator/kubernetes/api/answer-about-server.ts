import { servedResources } from '../cluster-state.js'
import { isMap, type JsonMap, mapAt, textAt } from '../object.js'
import { sealedResource } from '../object-store.js'
import { StatusError } from '../status-error.js'
import type { User } from './authenticate.js'
import { isAllowed } from './authorize.js'
import type { Answer, Call } from './call.js'
import { aggregatedDiscovery, coreVersions, findGroup, findResourceList, groupList } from './discovery.js'
import { findOpenApiDocument, openApiIndex } from './openapi.js'

/** Health, version, discovery, OpenAPI and reviews: everything that is not an object. */
export function answerAboutServer(call: Call, isHealthy: boolean): Answer {
  const { path } = call
  if (path === '/readyz' && isHealthy && !canReadSecrets(call)) return failedCheck('informer-sync')
  if (['/livez', '/readyz', '/healthz'].includes(path))
    return isHealthy ? { status: 200, body: 'ok' } : failedCheck('etcd')
  if (path === '/version') return { status: 200, body: versionOf(call.version) }
  if (path === '/metrics') return { status: 200, body: metricsOf(call) }
  return answerDiscovery(call) ?? notThere()
}

/** Only what tools check before an upgrade. */
function metricsOf({ deprecated }: Call): string {
  const head = '# TYPE apiserver_requested_deprecated_apis gauge\n'
  return `${head}${[...deprecated].map((labels) => `apiserver_requested_deprecated_apis{${labels}} 1\n`).join('')}`
}

function answerDiscovery(call: Call): Answer {
  const { state, path, accept, method } = call
  const resources = servedResources(state)
  const wantsAggregated = accept.includes('as=APIGroupDiscoveryList')
  const parts = path.split('/').filter(Boolean)
  const [root, first, second] = parts
  if (path === '/')
    return {
      status: 200,
      body: { paths: ['/api', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'] },
    }
  if (path === '/api') return found(wantsAggregated ? aggregatedDiscovery(resources, true) : coreVersions())
  if (path === '/apis') return found(wantsAggregated ? aggregatedDiscovery(resources, false) : groupList(resources))
  if (root === 'api' && parts.length === 2) return found(findResourceList(resources, '', first ?? ''))
  if (root === 'apis' && parts.length === 2) return found(findGroup(resources, first ?? ''))
  if (root === 'apis' && parts.length === 3) return found(findResourceList(resources, first ?? '', second ?? ''))
  if (root === 'openapi') return answerOpenApi(resources, parts.slice(1), accept)
  if (method === 'POST') return answerReview(parts.at(-1) ?? '', call)
  return undefined
}

/** An empty protobuf message is a valid document without definitions: old clients then skip their own validation. */
function answerOpenApi(
  resources: Parameters<typeof openApiIndex>[0],
  [version, ...rest]: readonly string[],
  accept: string,
): Answer {
  if (version === 'v2')
    return { status: 200, body: accept.includes('protobuf') ? '' : { swagger: '2.0', info: {}, paths: {} } }
  if (rest.length === 0) return found(openApiIndex(resources))
  return found(findOpenApiDocument(resources, rest.join('/')))
}

/** `kubectl auth whoami`, `can-i` and similar checks of tools, by what RBAC gives the user in question. */
export function answerReview(plural: string, { state, user, body }: Call): Answer {
  const given = isMap(body) ? body : {}
  const spec = mapAt(given, 'spec')
  if (plural === 'selfsubjectreviews')
    return { status: 201, body: { ...given, status: { userInfo: { username: user.name, groups: user.groups } } } }
  if (plural === 'selfsubjectaccessreviews')
    return { status: 201, body: { ...given, status: { allowed: mayDo(state, user, spec) } } }
  if (plural !== 'subjectaccessreviews') return undefined
  const asked = { name: textAt(spec, 'user') ?? '', groups: Array.isArray(spec.groups) ? spec.groups.map(String) : [] }
  return { status: 201, body: { ...given, status: { allowed: mayDo(state, asked, spec) } } }
}

/** Paths beside resources are for administrators. */
function mayDo(state: Call['state'], user: User, spec: JsonMap): boolean {
  if (!isMap(spec.resourceAttributes)) return user.groups.includes('system:masters')
  const { verb = '', group = '', resource = '', subresource, namespace, name } = spec.resourceAttributes
  const optional = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const attempt = {
    verb: String(verb),
    group: String(group),
    resource: optional(subresource) === undefined ? String(resource) : `${resource}/${subresource}`,
    namespace: optional(namespace),
    name: optional(name),
  }
  return isAllowed(state, user, attempt)
}

function found(body: object | undefined): Answer {
  return body === undefined ? undefined : { status: 200, body }
}

function notThere(): never {
  throw new StatusError(404, 'NotFound', 'the server could not find the requested resource')
}

function failedCheck(name: string): Answer {
  return { status: 500, body: `[+]ping ok\n[-]${name} failed: reason withheld\nhealthz check failed\n` }
}

/** An API server lists all Secrets when it starts, and is not ready until it has. */
function canReadSecrets({ state }: Call): boolean {
  try {
    state.objects.list(sealedResource)
    return true
  } catch {
    return false
  }
}

function versionOf(gitVersion: string): object {
  const [major = '1', minor = '0'] = gitVersion.replace(/^v/, '').split('.')
  return {
    major,
    minor,
    gitVersion,
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '2026-01-01T00:00:00Z',
    goVersion: 'go1.25.0',
    compiler: 'gc',
    platform: 'linux/amd64',
  }
}
