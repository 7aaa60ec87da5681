import { z } from 'zod'
import { textOf } from './values.js'

const resourceVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const
const otherVerbs = ['connect', 'head', 'options', 'post', 'proxy', 'put'] as const
const subdomain = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

/** Audit policy of the Kubernetes API server. */
export const auditPolicy = z.lazy(createPolicy)

/** What the API server checks when it starts; with a policy that it refuses it would not start. */
function createPolicy() {
  const names = z.array(z.string()).exactOptional()
  const stages = z.array(z.enum(['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'])).exactOptional()

  const group = textOf('an API group without a version', 'apps', (text) => /^\*?$/.test(text) || subdomain.test(text))
  const path = textOf(
    'a path that starts with / and has a * only at its end',
    '/healthz*',
    (text) => text === '*' || /^\/[^*]*\*?$/.test(text),
  )

  const resources = z
    .strictObject({
      group: group.exactOptional().describe('API group; empty for the core group.'),
      resources: names.describe('Resources, such as `secrets` or `pods/log`.'),
      resourceNames: names.describe('Names of objects.'),
    })
    .refine(({ resources, resourceNames }) => isEmpty(resourceNames) || !isEmpty(resources), {
      path: ['resourceNames'],
      error: 'needs at least one entry in resources',
      params: { fix: 'Name the resources of these objects, or remove resourceNames.' },
    })

  const rule = z
    .strictObject({
      level: z
        .enum(['None', 'Metadata', 'Request', 'RequestResponse'])
        .describe('What is logged: nothing, metadata, the request body, or request and response bodies.'),
      users: names.describe('Only requests of these users.'),
      userGroups: names.describe('Only requests of users of these groups.'),
      verbs: z
        .array(z.enum([...resourceVerbs, ...otherVerbs]))
        .exactOptional()
        .describe('Only these verbs.'),
      namespaces: names.describe('Only in these namespaces.'),
      resources: z.array(resources).exactOptional().describe('Only these resources.'),
      nonResourceURLs: z.array(path).exactOptional().describe('Only these paths, such as `/healthz*`.'),
      omitStages: stages.describe('Stages of these requests that are not logged.'),
      omitManagedFields: z.boolean().exactOptional().describe('Omit managed fields from the bodies.'),
    })
    .refine(
      ({ nonResourceURLs, resources, namespaces }) =>
        isEmpty(nonResourceURLs) || isEmpty([resources, namespaces].flat().filter(Boolean)),
      {
        path: ['nonResourceURLs'],
        error: 'cannot be combined with resources or namespaces',
        params: { fix: 'Write two rules: one with nonResourceURLs, one with resources and namespaces.' },
      },
    )
  return z.strictObject({
    rules: z.array(rule).min(1).describe('Rules of `audit.k8s.io/v1`; the first match applies.'),
    omitStages: stages.describe('Stages of all requests that are not logged.'),
    omitManagedFields: z.boolean().exactOptional().describe('Omit managed fields from all bodies.'),
  })
}

function isEmpty(list: readonly unknown[] | undefined): boolean {
  return list === undefined || list.length === 0
}
