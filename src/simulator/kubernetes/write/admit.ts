import type { ClusterState } from '../cluster-state.js'
import { mapAt, mapsAt, type StoredObject, sameJson, textAt, valueAt } from '../object.js'
import type { Resource } from '../resources.js'
import { invalid, notFound, StatusError } from '../status-error.js'
import { withDefaults } from './defaults.js'

/** What the real API validates and defaults before it stores an object. */
export function admit(
  state: ClusterState,
  resource: Resource,
  object: StoredObject,
  before: StoredObject | undefined,
): StoredObject {
  checkName(resource, object)
  checkNamespace(state, resource, object, before)
  meetWebhooks(state, resource, object)
  if (before !== undefined) checkImmutable(resource, withDefaults(resource, object), before)
  return withDefaults(resource, object)
}

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const freelyNamed = new Set(['rbac.authorization.k8s.io'])

function checkName(resource: Resource, { metadata: { name } }: StoredObject) {
  if (freelyNamed.has(resource.group)) return
  const form = resource.kind === 'Namespace' || resource.kind === 'Service' ? label : subdomain
  if (form.test(name) && name.length <= 253) return
  throw invalid(resource.kind, resource.group, name, [
    {
      reason: 'FieldValueInvalid',
      field: 'metadata.name',
      message: `Invalid value: "${name}": a lowercase RFC 1123 ${form === label ? 'label' : 'subdomain'} must consist of lower case alphanumeric characters${form === label ? '' : ", '-' or '.'"}, and must start and end with an alphanumeric character`,
    },
  ])
}

function checkNamespace(
  state: ClusterState,
  resource: Resource,
  object: StoredObject,
  before: StoredObject | undefined,
) {
  const { namespace } = object.metadata
  if (!resource.namespaced || namespace === undefined || before !== undefined) return
  const found = state.objects.find('namespaces', undefined, namespace)
  if (found === undefined) throw notFound({ plural: 'namespaces', group: '' }, namespace)
  if (found.metadata.deletionTimestamp === undefined) return
  throw new StatusError(
    403,
    'Forbidden',
    `${resource.plural} "${object.metadata.name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
  )
}

/** A rule on `ADMIT /apis/...` simulates a webhook that refuses. */
function meetWebhooks(state: ClusterState, resource: Resource, object: StoredObject) {
  const path = `/${resource.plural}/${object.metadata.namespace ?? ''}/${object.metadata.name}`
  const rule = state.faults.meet({ surface: 'kubernetes', method: 'ADMIT', path, mutating: false })
  if (rule?.action.kind !== 'status') return
  throw new StatusError(
    rule.action.status,
    'InternalError',
    `Internal error occurred: failed calling webhook: ${rule.action.message}`,
  )
}

const immutable: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Job: [
    ['spec', 'template'],
    ['spec', 'selector'],
    ['spec', 'completionMode'],
  ],
  Deployment: [['spec', 'selector']],
  DaemonSet: [['spec', 'selector']],
  StatefulSet: [
    ['spec', 'selector'],
    ['spec', 'serviceName'],
  ],
  ClusterRoleBinding: [['roleRef']],
  RoleBinding: [['roleRef']],
  StorageClass: [['provisioner'], ['parameters'], ['reclaimPolicy']],
}

function checkImmutable(resource: Resource, object: StoredObject, before: StoredObject) {
  if (resource.custom) return
  const causes = (immutable[resource.kind] ?? [])
    .filter((path) => !sameJson(valueAt(object, ...path), valueAt(before, ...path)))
    .map((path) => ({
      reason: 'FieldValueInvalid',
      field: path.join('.'),
      message: 'Invalid value: field is immutable',
    }))
  if (causes.length > 0) throw invalid(resource.kind, resource.group, object.metadata.name, causes)
  if (resource.kind === 'Pod') checkPodNode(object, before)
}

function checkPodNode(object: StoredObject, before: StoredObject) {
  const bound = textAt(before, 'spec', 'nodeName')
  const containersChanged = !sameJson(
    mapsAt(object, 'spec', 'containers').map(({ image: _, ...rest }) => rest),
    mapsAt(before, 'spec', 'containers').map(({ image: _, ...rest }) => rest),
  )
  if (!containersChanged && (bound === undefined || bound === mapAt(object, 'spec').nodeName)) return
  throw invalid('Pod', '', object.metadata.name, [
    {
      reason: 'FieldValueForbidden',
      field: 'spec',
      message: 'Forbidden: pod updates may not change fields other than `spec.containers[*].image`',
    },
  ])
}
