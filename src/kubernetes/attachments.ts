import type { Clock } from '../world.js'
import { fieldsOf, listOf } from './answer.js'
import { KubernetesError } from './kubernetes-error.js'
import type { ObjectCalls } from './object-calls.js'
import type { KubernetesObject } from './port.js'

const podKind = { apiVersion: 'v1', kind: 'Pod' }
const claimKind = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' }
const attachmentKind = { apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment' }
const pauseMs = 2_000

interface Tools {
  readonly objects: ObjectCalls
  readonly clock: Clock
}

interface Waiting {
  readonly timeoutMs: number
  readonly onProgress?: (line: string) => void
}

/**
 * The driver detaches the volumes of evicted pods, and needs the node for that. Volumes of pods that stay, such as those of
 * DaemonSets, stay as well.
 */
export async function awaitDetached({ objects, clock }: Tools, node: string, waiting: Waiting, signal: AbortSignal) {
  const until = clock.monotonic() + waiting.timeoutMs
  for (let isFirst = true; ; isFirst = false) {
    const attached = await leavingVolumes(objects, node, signal)
    if (attached.length === 0) return
    if (isFirst) waiting.onProgress?.(`waiting for ${attached.join(', ')} to be detached`)
    if (clock.monotonic() > until) throw stillAttached(node, attached, waiting.timeoutMs)
    await clock.sleep(pauseMs, signal)
  }
}

async function leavingVolumes(objects: ObjectCalls, node: string, signal: AbortSignal): Promise<string[]> {
  const all = await objects.list(attachmentKind, undefined, {}, signal)
  const attached = all.filter(({ spec }) => fieldsOf(spec).nodeName === node)
  if (attached.length === 0) return []
  const used = await volumesInUse(objects, node, signal)
  return attached.map(volumeOf).filter((volume) => !used.has(volume))
}

/** The volumes of all pods that are on the node, whatever keeps them there. */
async function volumesInUse(objects: ObjectCalls, node: string, signal: AbortSignal): Promise<Set<string>> {
  const pods = await objects.list(podKind, undefined, { fieldSelector: `spec.nodeName=${node}` }, signal)
  const claimed = new Set(pods.filter(({ status }) => isLive(status)).flatMap(claimsOf))
  if (claimed.size === 0) return new Set()
  const claims = await objects.list(claimKind, undefined, {}, signal)
  const bound = claims.filter(({ metadata }) => claimed.has(`${metadata.namespace}/${metadata.name}`))
  return new Set(bound.map(({ spec }) => String(fieldsOf(spec).volumeName)))
}

function isLive(status: unknown): boolean {
  const { phase } = fieldsOf(status)
  return phase !== 'Succeeded' && phase !== 'Failed'
}

/** A generic ephemeral volume has a claim that is named after its pod. */
function claimsOf({ metadata, spec }: KubernetesObject): string[] {
  return listOf(fieldsOf(spec).volumes).flatMap((volume) => {
    const { claimName } = fieldsOf(volume.persistentVolumeClaim)
    if (typeof claimName === 'string') return [`${metadata.namespace}/${claimName}`]
    return volume.ephemeral === undefined ? [] : [`${metadata.namespace}/${metadata.name}-${String(volume.name)}`]
  })
}

/** The attachments that are not there yet, or have failed, and why. */
export async function unattached(objects: ObjectCalls, signal: AbortSignal): Promise<Map<string, string>> {
  const all = await objects.list(attachmentKind, undefined, {}, signal)
  const found = all.flatMap((attachment): [string, string][] => {
    const { attached, attachError } = fieldsOf(attachment.status)
    if (attached === true && attachError === undefined) return []
    const { message } = fieldsOf(attachError)
    const why = typeof message === 'string' ? `: ${message}` : ''
    const node = String(fieldsOf(attachment.spec).nodeName)
    return [[attachment.metadata.name ?? '', `${volumeOf(attachment)} is not attached to ${node}${why}`]]
  })
  return new Map(found)
}

/** Pods with volumes that have no node yet, or do not run there yet: their volumes may have no attachment so far. */
export async function pendingPods(objects: ObjectCalls, signal: AbortSignal): Promise<string[]> {
  const pods = await objects.list(podKind, undefined, { fieldSelector: 'status.phase=Pending' }, signal)
  return pods
    .filter((pod) => fieldsOf(pod.metadata).deletionTimestamp === undefined && claimsOf(pod).length > 0)
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
}

/** The scheduler takes seconds to place a pod; one that waits longer than this waits for something else. */
const comingMs = 60_000
/** A computer that slept or was busy has not waited. */
const comingLooks = 30

/** What was so before the node was cordoned, and is not waited for: names of attachments and of pods. */
export interface BeforeCordon {
  readonly unattached: ReadonlySet<string>
  readonly pending: ReadonlySet<string>
}

/** The volumes of the pods that moved or return are attached again, on whatever node. */
export async function awaitAttached(
  { objects, clock }: Tools,
  node: string,
  before: BeforeCordon,
  { timeoutMs, onProgress }: Waiting,
  signal: AbortSignal,
): Promise<void> {
  const since = clock.monotonic()
  const noteOnce = once(onProgress)
  for (let look = 1; ; look++) {
    const isLate = clock.monotonic() - since > comingMs && look > comingLooks
    const pending = (await pendingPods(objects, signal)).filter((pod) => !before.pending.has(pod))
    const open = await unattached(objects, signal)
    const problems = [...open].flatMap(([name, problem]) => (before.unattached.has(name) ? [] : [problem]))
    const coming = isLate ? [] : pending
    if (problems.length === 0 && coming.length === 0) {
      if (pending.length > 0) onProgress?.(stillPending(pending))
      return
    }
    noteOnce(
      problems.length > 0
        ? 'waiting for volumes to be attached again'
        : `waiting for pods with volumes: ${coming.join(', ')}`,
    )
    if (problems.length > 0 && clock.monotonic() - since > timeoutMs) throw notAttached(node, problems, timeoutMs)
    await clock.sleep(pauseMs, signal)
  }
}

function once(note: Waiting['onProgress']): (line: string) => void {
  let isNoted = false
  return (line) => {
    if (!isNoted) note?.(line)
    isNoted = true
  }
}

function stillPending(pods: readonly string[]): string {
  return `${pods.join(', ')} ${pods.length === 1 ? 'is' : 'are'} still pending, and ${pods.length === 1 ? 'is' : 'are'} not waited for any longer`
}

function volumeOf({ spec, metadata }: KubernetesObject): string {
  return String(fieldsOf(fieldsOf(spec).source).persistentVolumeName ?? metadata.name)
}

function stillAttached(node: string, volumes: readonly string[], timeoutMs: number): KubernetesError {
  return new KubernetesError(
    `${volumes.join(', ')} ${volumes.length === 1 ? 'is' : 'are'} still attached to node ${node} after ${Math.round(timeoutMs / 1000)} s.`,
    { verb: 'drain', object: `Node ${node}`, reason: 'VolumesAttached' },
    {
      where: `Node ${node}`,
      fix: 'Look at the driver of these volumes and at its pod on that node, then run again.',
    },
  )
}

function notAttached(node: string, problems: readonly string[], timeoutMs: number): KubernetesError {
  return new KubernetesError(
    `After ${node} came back, volumes were not attached within ${Math.round(timeoutMs / 1000)} s: ${problems.join('; ')}.`,
    { verb: 'uncordon', object: `Node ${node}`, reason: 'VolumesNotAttached' },
    {
      where: `Node ${node}`,
      fix: 'Look at the driver of these volumes, then run again: no other machine is touched before.',
    },
  )
}
