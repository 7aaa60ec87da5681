import type { ClusterState } from '../cluster-state.js'
import { mapsAt, type StoredObject } from '../object.js'

/** The input of a controller: the cluster, the time of this round, and a way to be called again. */
export interface Round {
  readonly state: ClusterState
  /** Model milliseconds, the same for the whole round. */
  readonly now: number
  /** Requests another round after that model time at the latest. */
  wakeIn(modelMs: number): void
}

/** Reads the store and advances it by one step. Called again after every change, until nothing changes. */
export type Controller = (round: Round) => void

export function conditionOf(object: unknown, type: string): string | undefined {
  const found = mapsAt(object, 'status', 'conditions').find((one) => one.type === type)
  return found === undefined ? undefined : String(found.status)
}

export function isReady(object: unknown): boolean {
  return conditionOf(object, 'Ready') === 'True'
}

/** The conditions with this one set; its time changes only with its status. */
export function withCondition(
  object: StoredObject,
  condition: { readonly type: string; readonly status: string; readonly reason?: string; readonly message?: string },
  stamp: string,
): readonly object[] {
  const all = mapsAt(object, 'status', 'conditions')
  const before = all.find((one) => one.type === condition.type)
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : stamp
  const fresh = { ...condition, lastTransitionTime }
  return before === undefined ? [...all, fresh] : all.map((one) => (one === before ? fresh : one))
}

/** The pods of a controller, by the UID of their owner. */
export function podsOf(state: ClusterState, owner: StoredObject): readonly StoredObject[] {
  return state.objects
    .list('pods')
    .filter((pod) => pod.metadata.ownerReferences?.some((one) => one.uid === owner.metadata.uid))
}

export function ownerReferenceOf(owner: StoredObject) {
  const { apiVersion, kind, metadata } = owner
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true, blockOwnerDeletion: true }
}
