import { isUnmanaged } from '../cluster/unmanaged.js'
import { wasBootstrapped } from '../etcd/was-bootstrapped.js'
import type { Observed } from '../observe/observed.js'
import { checkHealth } from '../steps/check-health.js'
import type { Draft } from './draft.js'

/** The last step: `up` ends when the cluster is healthy. */
export function planHealth(draft: Draft, observed: Observed): void {
  const { etcd, machines, kubernetes } = observed
  // An interrupted run may have left a node cordoned. The next round sees that, so nothing waits for it now.
  if (!kubernetes.seen && wasBootstrapped(observed)) return
  // The cluster cannot be healthy before they are back: do what is possible and report the rest.
  if (draft.desired.away.length > 0) return
  const { desired } = draft
  const wanted = desired.machines.filter(({ machine }) => machine.role === 'controlplane').length
  const { unmanaged = [] } = desired.cluster
  const all = etcd.seen ? (etcd.value?.members ?? []) : []
  const members = all.filter(({ hostname }) => !isUnmanaged(hostname, unmanaged))
  const voters = members.filter(
    ({ id, isLearner }) => !isLearner && etcd.seen && (etcd.value?.healthy.includes(id) ?? false),
  )
  const isWell =
    voters.length === wanted &&
    members.length === wanted &&
    machines.length === desired.machines.length &&
    machines.every(({ node }) => node?.ready ?? !desired.cluster.hasNetwork)
  if (isWell && draft.steps.length === 0) return
  draft.add(checkHealth, {}, 'up ends with a healthy cluster', draft.ends())
}
