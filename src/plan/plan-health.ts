import type { Observed } from '../observe/observed.js'
import type { Draft } from './draft.js'

/** The last step of all: `up` ends when the cluster is healthy, not when it was asked to become so. */
export function planHealth(draft: Draft, { etcd, machines }: Observed): void {
  // It cannot become whole before they are back: what can be done is done, and that is reported.
  if (draft.desired.away.length > 0) return
  const controlPlanes = draft.desired.machines.filter(({ machine }) => machine.role === 'controlplane').length
  const voters = etcd?.members.filter(({ id, isLearner }) => !isLearner && etcd.healthy.includes(id)).length ?? 0
  const isWell =
    voters === controlPlanes && machines.every(({ node }) => node?.ready ?? !draft.desired.cluster.hasNetwork)
  if (isWell && draft.steps.length === 0) return
  draft.add(
    'check-health',
    {},
    'up ends with a healthy cluster',
    draft.steps.map(({ id }) => id),
  )
}
