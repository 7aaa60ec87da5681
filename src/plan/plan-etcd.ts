import type { Observed } from '../observe/observed.js'
import { neverTwice } from '../steps/bootstrap-etcd.js'
import type { Draft } from './draft.js'
import { planKubelet } from './plan-nodes.js'

/** etcd is made once. Whether it was made before is remembered; where it is now is asked. */
export function planEtcd(draft: Draft, observed: Observed): void {
  if ((observed.etcd?.members.length ?? 0) > 0) {
    planRemembrance(draft, observed)
    return
  }
  const { bootstrapMachine } = draft.desired.cluster
  const seen = observed.machines.find(({ name }) => name === bootstrapMachine)
  const awaitsFirst = seen?.mark.bootstrap === 'asked'
  const isLost = observed.secrets.bootstrapped && !awaitsFirst
  if (isLost && mayStillAnswer(draft, observed)) return
  if (isLost && !draft.desired.cluster.newEtcd) throw neverTwice(bootstrapMachine)
  const reason = isLost ? 'the old etcd is given up: this one is EMPTY' : 'the cluster has no etcd yet'
  const before = isLost ? planReturns(draft, observed) : []
  draft.add('bootstrap-etcd', { machine: bootstrapMachine }, reason, [
    `reach-machine:${bootstrapMachine}`,
    ...before,
    // They would join it before they go, and take its majority with them.
    ...observed.machines.map(({ name }) => `delete-machine:${name}`),
  ])
}

/** A run that ended before etcd answered has left a mark that still allows a first bootstrap: nobody may believe it later. */
function planRemembrance(draft: Draft, { machines }: Observed): void {
  const wanted = new Set(draft.desired.machines.map(({ machine }) => machine.name))
  for (const { name: machine, mark } of machines)
    if (mark.bootstrap === 'asked' && wanted.has(machine))
      draft.add('bootstrap-etcd', { machine, isThere: true }, 'an interrupted run did not see it happen')
}

/**
 * The nodes of machines that live on are unknown to a new etcd. Their kubelets start before it does and register when it
 * answers: should the run end in between, they come all the same.
 */
function planReturns(draft: Draft, { machines }: Observed): (string | undefined)[] {
  const wanted = new Set(draft.desired.machines.map(({ machine }) => machine.name))
  return machines
    .filter(({ name }) => wanted.has(name))
    .map((seen) => planKubelet(draft, seen, 'a new etcd does not know its node', [`await-back:${seen.name}`]))
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
