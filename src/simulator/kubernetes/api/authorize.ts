import type { IncomingHttpHeaders } from 'node:http'
import type { ClusterState } from '../cluster-state.js'
import { type JsonMap, mapsAt, type StoredObject, textAt } from '../object.js'
import { StatusError } from '../status-error.js'
import type { User } from './authenticate.js'

export interface Attempt {
  readonly verb: string
  readonly group: string
  /** `pods` or `pods/eviction`. */
  readonly resource: string
  readonly namespace: string | undefined
  readonly name: string | undefined
}

/** RBAC over the roles and bindings in the cluster. */
export function isAllowed(state: ClusterState, user: User, attempt: Attempt): boolean {
  if (user.groups.includes('system:masters')) return true
  const rules = [
    ...rulesOf(state, user, state.objects.list('clusterrolebindings.rbac.authorization.k8s.io')),
    ...rulesOf(
      state,
      user,
      state.objects
        .list('rolebindings.rbac.authorization.k8s.io')
        .filter((binding) => binding.metadata.namespace === attempt.namespace),
    ),
  ]
  return rules.some((rule) => permits(rule, attempt))
}

/** Throws 403 with the real message. */
export function authorize(state: ClusterState, user: User, attempt: Attempt): void {
  if (isAllowed(state, user, attempt)) return
  const scope = attempt.namespace === undefined ? 'at the cluster scope' : `in the namespace "${attempt.namespace}"`
  const what = attempt.name === undefined ? attempt.resource : `${attempt.resource} "${attempt.name}"`
  throw new StatusError(
    403,
    'Forbidden',
    `${what} is forbidden: User "${user.name}" cannot ${attempt.verb} resource "${attempt.resource}" in API group "${attempt.group}" ${scope}`,
    { kind: attempt.resource, group: attempt.group },
  )
}

function rulesOf(state: ClusterState, user: User, bindings: readonly StoredObject[]): readonly JsonMap[] {
  return bindings
    .filter((binding) => mapsAt(binding, 'subjects').some((subject) => isSubject(subject, user)))
    .flatMap((binding) => {
      const name = textAt(binding, 'roleRef', 'name') ?? ''
      const role =
        textAt(binding, 'roleRef', 'kind') === 'Role'
          ? state.objects.find('roles.rbac.authorization.k8s.io', binding.metadata.namespace, name)
          : state.objects.find('clusterroles.rbac.authorization.k8s.io', undefined, name)
      return mapsAt(role, 'rules')
    })
}

function isSubject(subject: JsonMap, user: User): boolean {
  return (
    (subject.kind === 'User' && subject.name === user.name) ||
    (subject.kind === 'Group' && user.groups.includes(String(subject.name))) ||
    (subject.kind === 'ServiceAccount' && user.name === `system:serviceaccount:${subject.namespace}:${subject.name}`)
  )
}

function permits(rule: JsonMap, { verb, group, resource }: Attempt): boolean {
  const has = (list: unknown, value: string) => Array.isArray(list) && (list.includes('*') || list.includes(value))
  return has(rule.verbs, verb) && has(rule.apiGroups, group) && has(rule.resources, resource)
}

/** The user that a request is made as: `kubectl --as` sends headers, and needs the right to impersonate. */
export function impersonated(state: ClusterState, caller: User, headers: IncomingHttpHeaders): User {
  const name = headers['impersonate-user']
  if (typeof name !== 'string') return caller
  authorize(state, caller, { verb: 'impersonate', group: '', resource: 'users', namespace: undefined, name })
  const groups = [headers['impersonate-group'] ?? []].flat().flatMap((value) => value.split(', '))
  return { name, groups: [...groups, 'system:authenticated'] }
}
