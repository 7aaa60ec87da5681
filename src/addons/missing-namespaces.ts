import type { KubernetesApi, KubernetesObject } from '../kubernetes/port.js'

/**
 * Namespaces that these objects go into, that are not there and that none of them makes. Whoever applies them does not
 * remember them: others will work in them, so they stay when the addon goes.
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
