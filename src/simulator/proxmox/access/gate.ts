import { ApiError, died, forbidden } from '../api-error.js'
import type { Endpoint } from '../schema/endpoints.js'
import type { Parameters } from '../schema/verify.js'
import type { DatacenterState } from '../state.js'
import { type Identity, isRoot, type Permissions } from './permissions.js'

interface Gate {
  readonly state: DatacenterState
  readonly permissions: Permissions
  readonly identity: Identity
  readonly parameters: Parameters
}

/** The permission check that an endpoint declares, before its handler runs. */
export function passGate(endpoint: Endpoint, gate: Gate): void {
  const { permission } = endpoint
  if (isRoot(gate.identity) || permission === 'all' || permission === 'world') return
  if (permission === 'root@pam' || typeof permission === 'string') throw forbidden('user != root@pam')
  const problem = check(permission, gate)
  if (problem !== undefined) throw problem
}

/** The refusal, or nothing. In an `or` the refusals of the branches are not reported. */
function check(expression: readonly unknown[], gate: Gate): ApiError | undefined {
  const [kind, ...rest] = expression
  if (kind === 'and')
    return rest.map((inner) => check(inner as unknown[], gate)).find((problem) => problem !== undefined)
  if (kind === 'or')
    return rest.some((inner) => check(inner as unknown[], gate) === undefined) ? undefined : forbidden('')
  if (kind === 'perm') return checkPath(rest, gate)
  if (kind === 'userid-param') return checkUserParameter(rest, gate)
  if (kind === 'userid-group') return checkUserGroup(rest, gate)
  if (kind === 'perm-modify') return checkModify(String(rest[0]), gate)
  return undefined
}

function checkPath([template, privileges, ...options]: readonly unknown[], gate: Gate): ApiError | undefined {
  const names = privileges as string[]
  const required = options.indexOf('require_param')
  if (required >= 0 && gate.parameters[String(options[required + 1])] === undefined) return forbidden('')
  const path = fill(String(template), gate.parameters)
  const isAny = options.includes('any')
  if (!/^[\p{L}\p{N}/_.\-@]+$/u.test(path)) return forbidden(`, ${names.join('|')}`)
  const pool = /^\/pool\/(.+)$/.exec(path)?.[1]
  if (pool !== undefined && gate.state.pools[pool] === undefined && String(template) === '/pool/{pool}')
    return forbidden(`pool '${pool}' does not exist`)
  if (gate.permissions.has(gate.identity, path, names, isAny)) return undefined
  return forbidden(`${path}, ${isAny ? names.join('|') : firstMissing(gate, path, names)}`)
}

function firstMissing({ permissions, identity }: Gate, path: string, names: readonly string[]): string {
  const held = permissions.at(identity, path)
  return names.find((name) => !held.has(name)) ?? names.join(', ')
}

function fill(template: string, parameters: Parameters): string {
  const path = template.replace(/\{([^}]+)\}/g, (_, name: string) => String(parameters[name] ?? ''))
  return path === '/' ? path : path.replace(/\/{2,}/g, '/').replace(/\/+$/, '')
}

function checkUserParameter([what, ...options]: readonly unknown[], gate: Gate): ApiError | undefined {
  const userid = String(gate.parameters.userid ?? '')
  if (userid !== '' && !/^[^\s:/]+@[A-Za-z][A-Za-z0-9.\-_]+$/.test(userid))
    throw died(`value '${userid}' does not look like a valid user name`)
  if (what === 'self')
    return userid === gate.identity.user && gate.identity.token === undefined ? undefined : forbidden('')
  if (what === 'Realm.AllocateUser') {
    const realm = userid.split('@').at(-1) ?? ''
    return gate.permissions.has(gate.identity, `/access/realm/${realm}`, ['Realm.AllocateUser'])
      ? undefined
      : forbidden(`/access/realm/${realm}, Realm.AllocateUser`)
  }
  return options.length === 0 ? undefined : forbidden('')
}

function checkUserGroup([privileges, ...options]: readonly unknown[], gate: Gate): ApiError | undefined {
  const names = privileges as string[]
  const has = (path: string) => gate.permissions.has(gate.identity, path, names)
  if (has('/access/groups')) return undefined
  const isParameter = options.includes('groups_param')
  const userid = String(gate.parameters.userid ?? '')
  const groups = isParameter
    ? String(gate.parameters.groups ?? '')
        .split(/[,;\s]+/)
        .filter(Boolean)
    : (gate.state.access.users[userid]?.groups ?? [])
  if (
    groups.length > 0 &&
    (isParameter
      ? groups.every((group) => has(`/access/groups/${group}`))
      : groups.some((group) => has(`/access/groups/${group}`)))
  )
    return undefined
  return forbidden('')
}

/** Callers that may grant rights at that path. */
function checkModify(template: string, gate: Gate): ApiError | undefined {
  const path = fill(template, gate.parameters)
  const [, area] = path.split('/')
  const stands = { vms: 'VM.Allocate', storage: 'Datastore.Allocate', pool: 'Pool.Allocate' }[area ?? '']
  const names = ['Permissions.Modify', ...(stands === undefined ? [] : [stands])]
  if (gate.permissions.has(gate.identity, path, names, true)) return undefined
  return forbidden(`${path}, ${names.join('|')}`)
}

/** A check inside a handler. */
export function requirePrivileges(
  permissions: Permissions,
  identity: Identity,
  path: string,
  names: readonly string[],
  any = false,
): void {
  if (permissions.has(identity, path, names, any)) return
  const held = permissions.at(identity, path)
  const missing = any ? names.join('|') : (names.find((name) => !held.has(name)) ?? '')
  throw new ApiError(403, `Permission check failed (${path}, ${missing})\n`)
}
