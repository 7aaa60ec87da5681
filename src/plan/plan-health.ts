import { wasBootstrapped } from '../machine/was-bootstrapped.js'
import type { Observed } from '../observe/observed.js'
import { checkHealth } from '../steps/check-health.js'
import type { Draft } from './draft.js'

/** The last step of all: `up` ends when the cluster is healthy, not when it was asked to become so. */
export function planHealth(draft: Draft, observed: Observed): void {
  const { etcd, machines, kubernetes } = observed
  // An interrupted run may have left a node cordoned: the next round sees it, and nobody waits for it before.
  if (!kubernetes.seen && wasBootstrapped(observed)) return
  // It cannot become healthy before they are back: what can be done is done, and that is reported.
  if (draft.desired.away.length > 0) return
  const { desired } = draft
  const wanted = desired.machines.filter(({ machine }) => machine.role === 'controlplane').length
  const members = etcd.seen ? (etcd.value?.members ?? []) : []
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
