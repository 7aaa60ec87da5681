import type { LedgerEntry } from '../../src/simulator/index.js'
import type { Book } from './book.js'
import { watchLedger } from './lab-state.js'
import { drillName } from './shape.js'

interface Pod {
  readonly metadata: {
    readonly name: string
    readonly annotations?: Readonly<Record<string, string>>
    readonly deletionTimestamp?: string
    readonly ownerReferences?: readonly { readonly kind: string }[]
  }
  readonly spec?: {
    readonly nodeName?: string
    readonly tolerations?: readonly { readonly operator?: string; readonly key?: string }[]
  }
  readonly status?: { readonly phase?: string }
}

interface Node {
  readonly metadata: { readonly name: string }
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

interface Saved {
  readonly etcd: readonly {
    readonly id: string
    readonly store: { readonly store: { readonly objects: { pods?: Pod[]; nodes?: Node[] } } }
  }[]
}

/**
 * Whenever a node that was Ready is reset, no pod runs on it that could have left before. One that tolerates everything is
 * scheduled on a cordoned node as on any other: it may come back after an eviction. With a new etcd, everything that ran is given up.
 */
export function watchDrains(book: Book): () => void {
  const { lab } = book.site
  const evicted = new Set<string>()
  let current: unknown
  return watchLedger(lab, (entry) => {
    const pod = /^POST .*\/pods\/([^/]+)\/eviction$/.exec(entry.subject)?.[1]
    if (pod !== undefined) evicted.add(setOf(pod))
    if (entry.event === 'etcd.bootstrapped' && entry.subject !== drillName) current = entry.detail?.etcd
    if (!isReset(entry) || book.isRestoring || book.newEtcd) return
    const { etcd } = lab.talos.save() as Saved
    const objects = etcd.find(({ id }) => id === current)?.store.store.objects
    const isReady = objects?.nodes?.some((node) => node.metadata.name === entry.subject && hasReady(node))
    const left = (objects?.pods ?? [])
      .filter(({ spec }) => spec?.nodeName === entry.subject)
      .filter((one) => couldLeave(one) && !(toleratesAll(one) && evicted.has(setOf(one.metadata.name))))
    if (isReady !== true || left.length === 0) return
    book.undrained.push(`${entry.subject} was reset with ${left.map(({ metadata }) => metadata.name).join(', ')} on it`)
  })
}

function isReset({ event, surface, detail }: LedgerEntry): boolean {
  return event === 'call' && surface === 'talos' && /\/Reset$/.test(String(detail?.path)) && detail?.code === 'ok'
}

function hasReady({ status }: Node): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true
}

/** The ReplicaSet of a pod, by its name. */
function setOf(pod: string): string {
  return pod.slice(0, pod.lastIndexOf('-'))
}

function toleratesAll({ spec }: Pod): boolean {
  return spec?.tolerations?.some(({ operator, key }) => operator === 'Exists' && key === undefined) === true
}

function couldLeave({ metadata, status }: Pod): boolean {
  const isBound =
    metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet' || kind === 'Node') === true ||
    metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined
  return status?.phase === 'Running' && metadata.deletionTimestamp === undefined && !isBound
}
