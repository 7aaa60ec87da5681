import type { Observed } from '../observe/observed.js'
import type { Desired, DesiredRestore } from './desired.js'
import { firstControlPlane } from './endpoint.js'

/** The cluster as usual, with an etcd that comes from a snapshot until this run has observed it. */
export function desiredRestore(desired: Desired, restore: DesiredRestore, { secrets }: Observed): Desired {
  const { recovery } = secrets
  const isDone = recovery?.stage === 'done' && recovery.snapshot === restore.snapshot && recovery.run === restore.run
  if (isDone) return desired
  // A machine on a lost host cannot be the first.
  const first = firstControlPlane(desired.machines.map(({ machine }) => machine))?.name
  return {
    ...desired,
    cluster: { ...desired.cluster, restore, bootstrapMachine: first ?? desired.cluster.bootstrapMachine },
  }
}
