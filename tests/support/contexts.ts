import type { Desired } from '../../src/desired/desired.js'
import type { ObservedMachine } from '../../src/observe/observed.js'
import type { Mark } from '../../src/ownership/mark.js'
import type { StepContext } from '../../src/steps/step.js'
import type { World } from '../../src/world.js'
import { anInventory, type ClusterSpec } from './inventories.js'
import { aMark, aSealer, described, hardwareOf } from './marks.js'
import { aStub } from './stub.js'
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

type ContextParts = Partial<StepContext> & Pick<StepContext, 'desired'> & { readonly world?: World }

/** What a step is handed: nothing was seen, and the lease is ours. Nothing is expected to be used but what is in the world. */
export function aContext({ world, ...parts }: ContextParts): StepContext {
  return {
    ...unused,
    observed: aWorld(['pve1']),
    signal: AbortSignal.timeout(10_000),
    attempt: 1,
    note: () => undefined,
    waiting: () => undefined,
    assertLease: () => undefined,
    endLease: async () => undefined,
    resolveAgain: async () => undefined,
    ...world,
    ...parts,
  }
}

const unused: Omit<World, 'snapshots'> = {
  proxmox: aStub<World['proxmox']>({}, 'the world.proxmox'),
  talos: aStub<World['talos']>({}, 'the world.talos'),
  kubernetes: aStub<World['kubernetes']>({}, 'the world.kubernetes'),
  factory: aStub<World['factory']>({}, 'the world.factory'),
  secrets: aStub<World['secrets']>({}, 'the world.secrets'),
  backups: aStub<World['backups']>({}, 'the world.backups'),
  dialer: aStub<World['dialer']>({}, 'the world.dialer'),
  clock: aStub<World['clock']>({}, 'the world.clock'),
}
