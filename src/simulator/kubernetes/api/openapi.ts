import type { Resource } from '../resources.js'

/** `/openapi/v3`: the paths of the documents of each group version. */
export function openApiIndex(resources: readonly Resource[]): object {
  const paths = new Set(
    resources.flatMap((resource) => resource.versions.map((version) => documentPath(resource.group, version))),
  )
  return { paths: Object.fromEntries([...paths].map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}` }])) }
}

/**
 * `/openapi/v3/apis/apps/v1`: no schemas, but each kind is patched with `fieldValidation`, which kubectl looks for
 * before it leaves validation to the server.
 */
export function findOpenApiDocument(resources: readonly Resource[], path: string): object | undefined {
  const members = resources.flatMap((resource) =>
    resource.versions
      .filter((version) => documentPath(resource.group, version) === path)
      .map((version) => ({ resource, version })),
  )
  if (members.length === 0) return undefined
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(
      members.map(({ resource, version }) => [`/${path}/${scoped(resource)}/{name}`, patchable(resource, version)]),
    ),
    components: { schemas: {} },
  }
}

function documentPath(group: string, version: string): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}

function scoped({ namespaced, plural }: Resource): string {
  return namespaced ? `namespaces/{namespace}/${plural}` : plural
}

function patchable({ group, kind }: Resource, version: string): object {
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
    name,
    in: 'query',
    schema: { type: name === 'force' ? 'boolean' : 'string', uniqueItems: true },
  }))
  return {
    patch: {
      parameters,
      responses: { 200: { description: 'OK' } },
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group, kind, version },
    },
  }
}
