import type { Resource } from '../resources.js'

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

interface GroupVersions {
  readonly group: string
  readonly versions: readonly string[]
  readonly resources: readonly Resource[]
}

function groupsOf(resources: readonly Resource[]): GroupVersions[] {
  const names = [...new Set(resources.map((resource) => resource.group))]
  return names.map((group) => {
    const members = resources.filter((resource) => resource.group === group)
    return { group, versions: [...new Set(members.flatMap((one) => one.versions))], resources: members }
  })
}

/** `/api`. */
export function coreVersions(): object {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }
}

/** `/apis` in its old form. */
export function groupList(resources: readonly Resource[]): object {
  const groups = groupsOf(resources).filter(({ group }) => group !== '')
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(describeGroup) }
}

/** `/apis/apps`; `undefined` for a group that is not served. */
export function findGroup(resources: readonly Resource[], name: string): object | undefined {
  const found = groupsOf(resources).find(({ group }) => group === name)
  return found === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(found) }
}

function describeGroup({ group, versions }: GroupVersions) {
  const described = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }))
  return { name: group, versions: described, preferredVersion: described[0] }
}

/** `/api/v1` or `/apis/apps/v1`; `undefined` for a version that is not served. */
export function findResourceList(resources: readonly Resource[], group: string, version: string): object | undefined {
  const members = resources.filter((one) => one.group === group && one.versions.includes(version))
  if (members.length === 0) return undefined
  const groupVersion = group === '' ? version : `${group}/${version}`
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: members.flatMap(describeResource) }
}

function describeResource(resource: Resource): object[] {
  const { plural, kind, namespaced, shortNames, categories } = resource
  const lists = { ...(shortNames.length > 0 ? { shortNames } : {}), ...(categories.length > 0 ? { categories } : {}) }
  return [
    { name: plural, singularName: kind.toLowerCase(), namespaced, kind, verbs, ...lists },
    ...resource.subresources.map((sub) => ({
      name: `${plural}/${sub}`,
      singularName: '',
      namespaced,
      ...subresourceKind(resource, sub),
      verbs: sub === 'eviction' ? ['create'] : sub === 'log' ? ['get'] : ['get', 'patch', 'update'],
    })),
  ]
}

function subresourceKind({ kind }: Resource, sub: string) {
  if (sub === 'eviction') return { group: 'policy', version: 'v1', kind: 'Eviction' }
  if (sub === 'scale') return { group: 'autoscaling', version: 'v1', kind: 'Scale' }
  return { kind }
}

/** `/api` and `/apis` in the aggregated form that newer clients request: everything in one response. */
export function aggregatedDiscovery(resources: readonly Resource[], core: boolean): object {
  const groups = groupsOf(resources).filter(({ group }) => (group === '') === core)
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ group, versions, resources: members }) => ({
      metadata: { name: group, creationTimestamp: null },
      versions: versions.map((version) => ({
        version,
        freshness: 'Current',
        resources: members.filter((one) => one.versions.includes(version)).map((one) => aggregate(one, version)),
      })),
    })),
  }
}

function aggregate(resource: Resource, version: string): object {
  const { group, plural, kind, namespaced, shortNames, categories, subresources } = resource
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.toLowerCase(),
    verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0
      ? {
          subresources: subresources.map((sub) => ({
            subresource: sub,
            responseKind: { group, version, ...subresourceKind(resource, sub) },
            verbs: sub === 'eviction' ? ['create'] : ['get', 'patch', 'update'],
          })),
        }
      : {}),
  }
}
