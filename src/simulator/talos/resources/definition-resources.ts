import { definitionOf, type KindDefinition, knownDefinitions } from './kind-definitions.js'
import { proto } from './proto-spec.js'
import type { ResourceItem, ResourceKind } from './resource-kind.js'

/** Kinds of Talos that are always empty on the lab's nodes. */
export function emptyKinds(modelled: readonly ResourceKind[]): ResourceKind[] {
  const types = new Set(modelled.map(({ type }) => type))
  return knownDefinitions
    .filter(({ type, namespace }) => !types.has(type) && namespace !== 'meta')
    .map(({ type, namespace, isSensitive }) => ({ type, namespace, isSensitive, list: () => [] }))
}

/** The resource definitions: clients resolve short names and choose columns with them. */
export function definitionResources(kinds: readonly ResourceKind[]): ResourceKind[] {
  const namespaces = [...new Set([...kinds.map(({ namespace }) => namespace), 'meta'])].sort()
  const own = ['Namespaces.meta.cosi.dev', 'ResourceDefinitions.meta.cosi.dev']
  const described = [...kinds, ...own.map((type) => ({ type, namespace: 'meta', since: 0 }))]
  return [
    {
      type: 'ResourceDefinitions.meta.cosi.dev',
      namespace: 'meta',
      list: ({ minor }) =>
        described
          .filter(({ since = 0 }) => since <= minor)
          .map(({ type, namespace }) => definitionItem(definitionOf(type, namespace))),
    },
    {
      type: 'Namespaces.meta.cosi.dev',
      namespace: 'meta',
      list: () =>
        namespaces.map((id) => ({
          id,
          spec: { description: `${id} resources` },
          proto: proto({ 1: `${id} resources` }),
        })),
    },
  ]
}

function definitionItem({ type, displayType, namespace, aliases, allAliases, columns, isSensitive }: KindDefinition) {
  const spec = {
    type,
    displayType,
    aliases,
    allAliases,
    printColumns: columns.map(({ name, path }) => ({ name, jsonPath: path })),
    defaultNamespace: namespace,
    ...(isSensitive ? { sensitivity: 'sensitive' } : {}),
  }
  const fields = {
    1: type,
    2: displayType,
    3: namespace,
    4: aliases,
    5: allAliases,
    6: columns.map(({ name, path }) => proto({ 1: name, 2: path })),
    7: isSensitive ? 1 : 0,
  }
  return { id: type.toLowerCase(), spec, proto: proto(fields) } satisfies ResourceItem
}
