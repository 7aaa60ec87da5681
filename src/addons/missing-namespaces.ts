import type { KubernetesApi, KubernetesObject } from '../kubernetes/port.js'

/**
 * Namespaces of these objects that do not exist and that none of the objects creates. They are not recorded: others may
 * use them, so they stay when the addon is removed.
 */
export async function missingNamespaces(
  api: Pick<KubernetesApi, 'find'>,
  objects: readonly KubernetesObject[],
  signal: AbortSignal,
): Promise<KubernetesObject[]> {
  const made = new Set(objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name))
  const needed = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []))
  const missing: KubernetesObject[] = []
  for (const name of needed) {
    if (made.has(name)) continue
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    if ((await api.find(namespace, undefined, name, signal)) === undefined) missing.push(namespace)
  }
  return missing
}
