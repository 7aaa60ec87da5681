import type { KubernetesObject } from '../kubernetes/port.js'
import type { ObjectRef } from './installed-addons.js'
import { type AddonTools, fieldOwnerOf } from './run-helm-job.js'

const kept = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease'])

/** Deletes only objects that ichor applied for this addon: the object itself proves it, whatever a record contains. */
export async function deleteApplied(
  { api, note }: AddonTools,
  addon: string,
  ref: ObjectRef,
  signal: AbortSignal,
): Promise<void> {
  if (ref.kind === 'Namespace' && kept.has(ref.name)) return
  const found = await api.find(ref, ref.namespace, ref.name, signal)
  if (found === undefined) return
  if (!isApplied(found, addon)) return note(`${ref.kind} ${ref.name} was not applied for ${addon} and is not deleted`)
  note(`deleting ${ref.kind} ${ref.name}`)
  await api.delete(ref, ref.namespace, ref.name, signal)
}

function isApplied({ metadata }: KubernetesObject, addon: string): boolean {
  const { managedFields = [] } = metadata as { managedFields?: readonly { readonly manager?: string }[] }
  return managedFields.some(({ manager }) => manager === fieldOwnerOf(addon).fieldManager)
}
