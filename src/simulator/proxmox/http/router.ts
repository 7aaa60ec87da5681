import type { Endpoint } from '../schema/endpoints.js'
import type { Handler, Routes } from './call.js'

export interface Route {
  readonly endpoint: Endpoint
  readonly handler: Handler
}

export interface Router {
  find(method: string, path: string): { route: Route; pathParameters: Record<string, string> } | undefined
}

interface Node {
  readonly literals: Map<string, Node>
  name?: string
  child?: Node
  readonly routes: Map<string, Route>
}

const emptyNode = (): Node => ({ literals: new Map(), routes: new Map() })

/**
 * Attaches the handlers to the endpoints of the catalogue; a handler without an endpoint belongs to the other version.
 */
export function createRouter(endpoints: readonly Endpoint[], routes: Routes): Router {
  const root = emptyNode()
  for (const endpoint of endpoints) {
    const handler = routes[`${endpoint.method} ${endpoint.path}`]
    if (handler === undefined) continue
    let node = root
    for (const segment of endpoint.segments) node = childFor(node, segment)
    node.routes.set(endpoint.method, { endpoint, handler })
  }
  return { find: (method, path) => walk(root, method, path.split('/').filter(Boolean)) }
}

function childFor(node: Node, segment: string): Node {
  const name = /^\{(.+)\}$/.exec(segment)?.[1]
  if (name === undefined) {
    const next = node.literals.get(segment) ?? emptyNode()
    node.literals.set(segment, next)
    return next
  }
  node.name = name
  node.child ??= emptyNode()
  return node.child
}

/** Volume IDs may contain slashes: the last name of such a path takes the rest. */
const greedy = new Set(['volume'])

function walk(root: Node, method: string, segments: string[]): ReturnType<Router['find']> {
  const pathParameters: Record<string, string> = {}
  let node = root
  for (let i = 0; i < segments.length; i++) {
    const segment = decode(segments[i] ?? '')
    const literal = node.literals.get(segment)
    if (literal !== undefined) {
      node = literal
      continue
    }
    if (node.child === undefined || node.name === undefined) return undefined
    if (node.name === 'poolid' && segment.includes('/')) return undefined
    if (node.name === 'tokenid' && !/^[A-Za-z][A-Za-z0-9.\-_]*$/.test(segment)) return undefined
    const isGreedy = greedy.has(node.name)
    pathParameters[node.name] = isGreedy ? segments.slice(i).map(decode).join('/') : segment
    node = node.child
    if (isGreedy) break
  }
  const route = node.routes.get(method)
  return route === undefined ? undefined : { route, pathParameters }
}

/** The error for an unknown path. */
export function decodePath(path: string): string {
  return decode(path)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
