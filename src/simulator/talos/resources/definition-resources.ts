import { proto } from './proto-spec.js'
import type { ResourceItem, ResourceKind } from './resource-kind.js'

/** The resources about resources: clients resolve short names by them. */
export function definitionResources(kinds: readonly ResourceKind[]): ResourceKind[] {
  const namespaces = [...new Set([...kinds.map(({ namespace }) => namespace), 'meta'])]
  return [
    {
      type: 'ResourceDefinitions.meta.cosi.dev',
      namespace: 'meta',
      list: ({ minor }) => kinds.filter(({ since = 0 }) => since <= minor).map(definitionOf),
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

function definitionOf({ type, namespace, isSensitive = false }: ResourceKind): ResourceItem {
  const [plural = '', ...group] = type.split('.')
  const displayType = plural.replace(/(ss|us)es$/, '$1').replace(/([^su])s$/, '$1')
  const aliases = [displayType.toLowerCase()]
  const dotted = group.map((_, n) => [plural, ...group.slice(0, n)].join('.').toLowerCase())
  const allAliases = [...new Set([...aliases, ...dotted])]
  const spec = {
    type,
    displayType,
    defaultNamespace: namespace,
    aliases,
    allAliases,
    printColumns: [],
    ...(isSensitive ? { sensitivity: 'sensitive' } : {}),
  }
  const fields = { 1: type, 2: displayType, 3: namespace, 4: aliases, 5: allAliases, 7: isSensitive ? 1 : 0 }
  return { id: type.toLowerCase(), spec, proto: proto(fields) }
}
