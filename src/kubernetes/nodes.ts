import type { Taint } from '../cluster/machine.js'
import type { Clock } from '../world.js'
import { fieldsOf, listOf, textOf } from './answer.js'
import { awaitAttached, pendingPods, unattached } from './attachments.js'
import { isConflict } from './kubernetes-error.js'
import type { ObjectCalls } from './object-calls.js'
import type { KubernetesObject, NodeInfo } from './port.js'

export const nodeKind = { apiVersion: 'v1', kind: 'Node' }

/** Marks a cordon, label or taint as ours: only those are ever removed. */
const cordonedBy = 'ichor.dev/cordoned'
/** Attachments that were not attached before the node was cordoned: uncordoning does not wait for them. */
const unattachedBefore = 'ichor.dev/unattached'
/** The same for pods with volumes that were pending. */
const pendingBefore = 'ichor.dev/pending'
const ownLabels = 'ichor.dev/labels'
const ownTaints = 'ichor.dev/taints'

/** A Node in ichor's terms. */
export function nodeInfoOf(object: KubernetesObject): NodeInfo {
  const { metadata } = object
  const status = fieldsOf(object.status)
  const { systemUUID, bootID, machineID, kubeletVersion } = fieldsOf(status.nodeInfo)
  return {
    name: metadata.name ?? '',
    systemUuid: textOf(systemUUID).toLowerCase(),
    ...(textOf(bootID) === '' ? {} : { bootId: textOf(bootID) }),
    ...(textOf(machineID) === '' ? {} : { machineId: textOf(machineID) }),
    ready: listOf(status.conditions).some((condition) => condition.type === 'Ready' && condition.status === 'True'),
    unschedulable: isCordoned(object),
    kubeletVersion: textOf(kubeletVersion),
    internalAddresses: listOf(status.addresses)
      .filter(({ type }) => type === 'InternalIP')
      .map(({ address }) => textOf(address)),
    labels: metadata.labels ?? {},
    taints: taintsOf(object),
    annotations: metadata.annotations ?? {},
  }
}

function isCordoned({ spec }: KubernetesObject): boolean {
  return fieldsOf(spec).unschedulable === true
}

/** All fields of a taint are kept, because they are sent back. */
function taintsOf({ spec }: KubernetesObject): Taint[] {
  return listOf(fieldsOf(spec).taints).map((taint) => ({
    ...taint,
    key: textOf(taint.key),
    effect: textOf(taint.effect) as Taint['effect'],
  }))
}

/** Cordons and marks the cordon as ours. An existing cordon is kept. */
export async function cordonNode(objects: ObjectCalls, name: string, signal: AbortSignal): Promise<void> {
  const node = await objects.find(nodeKind, undefined, name, signal)
  if (node === undefined || isCordoned(node)) return
  const annotations = {
    [cordonedBy]: 'true',
    [unattachedBefore]: listed([...(await unattached(objects, signal)).keys()]),
    [pendingBefore]: listed(await pendingPods(objects, signal)),
  }
  await objects.patch(
    nodeKind,
    undefined,
    name,
    { metadata: { annotations }, spec: { unschedulable: true } },
    'cordon',
    signal,
  )
}

function listed(names: readonly string[]): string | null {
  return names.length === 0 ? null : names.join()
}

/** The mark goes last: by it the next run knows that volumes are still to be waited for. */
export async function uncordonNode(
  tools: { readonly objects: ObjectCalls; readonly clock: Clock },
  name: string,
  waiting: { readonly timeoutMs: number; readonly onProgress?: (line: string) => void },
  signal: AbortSignal,
): Promise<void> {
  const { objects } = tools
  const node = await objects.find(nodeKind, undefined, name, signal)
  const annotations = node?.metadata.annotations ?? {}
  if (annotations[cordonedBy] === undefined) return
  const before = {
    unattached: new Set(annotations[unattachedBefore]?.split(',')),
    pending: new Set(annotations[pendingBefore]?.split(',')),
  }
  await objects.patch(nodeKind, undefined, name, { spec: { unschedulable: null } }, 'uncordon', signal)
  await awaitAttached(tools, name, before, waiting, signal)
  const body = { metadata: { annotations: { [cordonedBy]: null, [unattachedBefore]: null, [pendingBefore]: null } } }
  await objects.patch(nodeKind, undefined, name, body, 'uncordon', signal)
}

const attempts = 5

/** Replaces the taints that ichor set before; others stay. */
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
  const node = await objects.find(nodeKind, undefined, name, signal)
  if (node === undefined) return
  const before = taintsOf(node)
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

/** Sets labels and records which are ours; `null` removes one. */
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

/** Keys of labels that ichor set before and that are no longer wanted. */
export function unwantedLabels({ annotations, labels }: NodeInfo, wanted: Readonly<Record<string, string>>): string[] {
  const ours = (annotations[ownLabels] ?? '').split(',')
  return ours.filter((key) => key in labels && !(key in wanted))
}

/** Taints that ichor set before and that are no longer wanted. */
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
