import type { Desired } from '../../src/desired/desired.js'
import type { ObservedMachine } from '../../src/observe/observed.js'
import type { Mark } from '../../src/ownership/mark.js'
import type { StepContext } from '../../src/steps/step.js'
import { anInventory, type ClusterSpec } from './inventories.js'
import { aMark, aSealer, described, hardwareOf } from './marks.js'
import { aWorld, specFor } from './worlds.js'

/** What an inventory wants of cluster `c1`, whose marks `aMark` writes; the VMIDs of its workers begin at 3000. */
export async function aDesired(spec: ClusterSpec = {}): Promise<Desired> {
  const vm_ids = { control_plane: '2000-2999', worker: '3000-3999' }
  const inventory = await anInventory({ ...spec, with: { vm_ids, ...spec.with } })
  const desired = specFor(inventory)(aWorld(spec.hosts ?? ['pve1']))
  return withCluster(desired, { id: 'c1', sealer: aSealer })
}

export function withCluster(desired: Desired, change: Partial<Desired['cluster']>): Desired {
  return { ...desired, cluster: { ...desired.cluster, ...change } }
}

/** A machine of cluster `c1` that was seen on `pve1` with the hardware of its mark. */
export function aSeenMachine(
  name: string,
  vmid: number,
  { mark: change = {}, ...more }: Partial<Omit<ObservedMachine, 'mark'>> & { readonly mark?: Partial<Mark> } = {},
): ObservedMachine {
  const mark = aMark(name, vmid, change)
  return {
    name,
    host: 'pve1',
    vmid,
    mark,
    isSealed: true,
    options: { description: described(mark), ...hardwareOf(name) },
    status: 'running',
    pending: [],
    talos: { reach: 'off' },
    ...more,
  }
}

/** What a step is handed: nothing was seen, and the lease is ours. */
export function aContext(parts: Partial<StepContext> & Pick<StepContext, 'desired'>): StepContext {
  return {
    observed: aWorld(['pve1']),
    signal: AbortSignal.timeout(10_000),
    attempt: 1,
    note: () => undefined,
    waiting: () => undefined,
    assertLease: () => undefined,
    endLease: async () => undefined,
    resolveAgain: async () => undefined,
    ...parts,
  }
}
