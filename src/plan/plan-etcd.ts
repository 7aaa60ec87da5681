import type { Observed } from '../observe/observed.js'
import { neverTwice } from '../steps/bootstrap-etcd.js'
import type { Draft } from './draft.js'

/** etcd is made once. Whether it was made before is remembered; where it is now is asked. */
export function planEtcd(draft: Draft, observed: Observed): void {
  if ((observed.etcd?.members.length ?? 0) > 0) return
  const { bootstrapMachine } = draft.desired.cluster
  const seen = observed.machines.find(({ name }) => name === bootstrapMachine)
  const awaitsFirst = seen?.mark.bootstrap === 'asked'
  if (observed.secrets.bootstrapped && !awaitsFirst) {
    if (mayStillAnswer(draft, observed)) return
    if (!draft.desired.cluster.newEtcd) throw neverTwice(bootstrapMachine)
  }
  const reason =
    observed.secrets.bootstrapped && !awaitsFirst
      ? 'the old etcd is given up: this one is EMPTY'
      : 'the cluster has no etcd yet'
  draft.add('bootstrap-etcd', { machine: bootstrapMachine }, reason, [`reach-machine:${bootstrapMachine}`])
}

/** A control plane that ran and does not answer yet may hold etcd: it is started and reached before anything is decided. */
function mayStillAnswer({ desired }: Draft, observed: Observed): boolean {
  return observed.machines.some(({ name, mark, status, talos }) => {
    const isControlPlane = desired.machines.some(
      ({ machine }) => machine.name === name && machine.role === 'controlplane',
    )
    const hasRun = mark.stage === 'made' || status === 'running'
    return isControlPlane && hasRun && talos.reach !== 'secured'
  })
}
