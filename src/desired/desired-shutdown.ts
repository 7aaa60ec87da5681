import type { Observed } from '../observe/observed.js'
import type { ClusterSpec } from './cluster-spec.js'
import type { Desired, DesiredShutdown } from './desired.js'
import { desiredTeardown } from './desired-teardown.js'
import { snapshotsOf } from './snapshots.js'

/**
 * The desired state of `shutdown`: the cluster as it is, switched off. What the inventory wants of its machines does not
 * matter, so that a cluster that could not be changed now can still be shut down.
 */
export function desiredShutdown(
  spec: ClusterSpec,
  how: Pick<DesiredShutdown, 'takesSnapshot'> & { readonly withGuests: boolean },
  observed: Observed,
): Desired {
  const desired = desiredTeardown({ ...spec, until: 'vms' }, observed)
  const { guests } = spec.inventory
  const own = guests
    .filter(({ create }) => create)
    .map(({ name, vmid }) => ({ name, ...(vmid === undefined ? {} : { vmid }) }))
  return {
    ...desired,
    cluster: {
      ...desired.cluster,
      snapshots: snapshotsOf(spec),
      shutdown: { takesSnapshot: how.takesSnapshot, guests: how.withGuests ? own : [] },
    },
  }
}
