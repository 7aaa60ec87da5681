import type { Taint } from '../cluster/machine.js'
import { isConflict } from './kubernetes-error.js'
import type { ObjectCalls } from './object-calls.js'
import type { KubernetesObject, NodeInfo } from './port.js'

export const nodeKind = { apiVersion: 'v1', kind: 'Node' }

/** Says that a cordon, a label or a taint is ours: only those are ever lifted. */
const cordonedBy = 'ichor.dev/cordoned'
const ownLabels = 'ichor.dev/labels'
const ownTaints = 'ichor.dev/taints'

interface LiveNode extends KubernetesObject {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] }
  readonly status?: {
    readonly nodeInfo?: { readonly systemUUID?: string; readonly kubeletVersion?: string }
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
    readonly addresses?: readonly { readonly type: string; readonly address: string }[]
  }
}

/** A Node in the words that the rest of the program uses. */
export function nodeInfoOf(object: KubernetesObject): NodeInfo {
  const node = object as LiveNode
  return {
    name: node.metadata.name ?? '',
    systemUuid: (node.status?.nodeInfo?.systemUUID ?? '').toLowerCase(),
    ready: node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false,
    unschedulable: node.spec?.unschedulable ?? false,
    kubeletVersion: node.status?.nodeInfo?.kubeletVersion ?? '',
    internalAddresses: (node.status?.addresses ?? [])
      .filter(({ type }) => type === 'InternalIP')
      .map(({ address }) => address),
    labels: node.metadata.labels ?? {},
    taints: node.spec?.taints ?? [],
    annotations: node.metadata.annotations ?? {},
  }
}

/** Cordons and says that it was us; a cordon that is there already stays whoever's it is. */
export async function cordonNode(objects: ObjectCalls, name: string, signal: AbortSignal): Promise<void> {
  const node = (await objects.find(nodeKind, undefined, name, signal)) as LiveNode | undefined
  if (node === undefined || node.spec?.unschedulable === true) return
  const body = { metadata: { annotations: { [cordonedBy]: 'true' } }, spec: { unschedulable: true } }
  await objects.patch(nodeKind, undefined, name, body, 'cordon', signal)
}

export async function uncordonNode(objects: ObjectCalls, name: string, signal: AbortSignal): Promise<void> {
  const node = (await objects.find(nodeKind, undefined, name, signal)) as LiveNode | undefined
  if (node?.metadata.annotations?.[cordonedBy] === undefined) return
  const body = { metadata: { annotations: { [cordonedBy]: null } }, spec: { unschedulable: null } }
  await objects.patch(nodeKind, undefined, name, body, 'uncordon', signal)
}

const attempts = 5

/** Replaces the taints that we set before; those of the cluster and of others stay. */
export async function setNodeTaints(
  objects: ObjectCalls,
  name: string,
  taints: readonly Taint[],
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryToSetTaints(objects, name, taints, signal)
    } catch (error) {
      if (!isConflict(error) || attempt >= attempts) throw error
    }
  }
}

async function tryToSetTaints(objects: ObjectCalls, name: string, taints: readonly Taint[], signal: AbortSignal) {
  const node = (await objects.find(nodeKind, undefined, name, signal)) as LiveNode | undefined
  if (node === undefined) return
  const before = node.spec?.taints ?? []
  const ours = new Set((node.metadata.annotations?.[ownTaints] ?? '').split(',').filter(Boolean))
  const wanted = new Set(taints.map(idOf))
  const kept = before.filter((taint) => !ours.has(idOf(taint)) && !wanted.has(idOf(taint)))
  const note = [...wanted].join(',')
  const next = [...kept, ...taints]
  if (sameTaints(before, next) && (node.metadata.annotations?.[ownTaints] ?? '') === note) return
  const metadata = {
    resourceVersion: node.metadata.resourceVersion,
    annotations: { [ownTaints]: note === '' ? null : note },
  }
  await objects.patch(nodeKind, undefined, name, { metadata, spec: { taints: next } }, 'taint', signal)
}

/** Sets labels and notes which are ours; `null` takes one away. */
export async function setNodeLabels(
  objects: ObjectCalls,
  name: string,
  labels: Readonly<Record<string, string | null>>,
  signal: AbortSignal,
): Promise<void> {
  const set = Object.keys(labels).filter((key) => labels[key] !== null)
  const annotations = { [ownLabels]: set.length === 0 ? null : set.join(',') }
  await objects.patch(nodeKind, undefined, name, { metadata: { labels, annotations } }, 'label', signal)
}

/** Keys of labels that we set before and nobody wants any more. */
export function unwantedLabels({ annotations, labels }: NodeInfo, wanted: Readonly<Record<string, string>>): string[] {
  const ours = (annotations[ownLabels] ?? '').split(',')
  return ours.filter((key) => key in labels && !(key in wanted))
}

/** Taints that we set before and nobody wants any more. */
export function unwantedTaints({ annotations, taints }: NodeInfo, wanted: readonly Taint[]): Taint[] {
  const ours = new Set((annotations[ownTaints] ?? '').split(','))
  const kept = new Set(wanted.map(idOf))
  return taints.filter((taint) => ours.has(idOf(taint)) && !kept.has(idOf(taint)))
}

function idOf({ key, effect }: Taint): string {
  return `${key}:${effect}`
}

function sameTaints(one: readonly Taint[], other: readonly Taint[]): boolean {
  const text = (taints: readonly Taint[]) =>
    taints
      .map(({ key, value, effect }) => `${key}=${value ?? ''}:${effect}`)
      .sort()
      .join()
  return text(one) === text(other)
}
