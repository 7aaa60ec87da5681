import type { PlanView } from '../../events/plan-view.js'
import { observe } from '../../observe/observe.js'
import type { SecretsFile } from '../../secrets/bundle.js'
import type { SnapshotsPort, World } from '../../world.js'
import { drillOf } from '../goals.js'
import { previewRun } from '../preview.js'
import { carryOut, type RunRequest } from '../run.js'
import { openRunLog } from '../run-log.js'
import type { Session } from '../session.js'
import { specOf } from '../spec/spec-of.js'
import { drillInventory, drillSecrets, drillSpec } from './drill-cluster.js'
import { removeMachine } from './left-drill.js'

export interface DrillRequest {
  readonly snapshot: string
  readonly skipHashCheck: boolean
  readonly snapshots: SnapshotsPort
  /** Addresses that the machine must not reach. */
  readonly mustNotReach: readonly string[]
  readonly secrets: SecretsFile
}

type DrillRun = DrillRequest & Pick<RunRequest, 'forceUnlock' | 'consent' | 'sinks' | 'signal'>

/** Restores the snapshot on a new control plane, lets `inspect` look at its etcd, and removes the machine. */
export async function drillOnMachine<T>(
  session: Session,
  { sinks, signal, forceUnlock = false, consent, ...drill }: DrillRun,
  inspect: (etcd: AsyncIterable<Uint8Array>, machine: string) => Promise<T>,
): Promise<T | undefined> {
  const log = openRunLog(session, sinks)
  const { spec, world } = await clusterOf(session, drill)
  const remove = () => removeMachine({ spec, world, run: log.run, emit: log.emit, signal, forceUnlock })
  await remove()
  try {
    const { outcome } = await carryOut({ ...session, world }, log, {
      goal: goalOf(drill, log.run),
      want: async () => ({ spec }),
      forceUnlock,
      consent,
      signal,
    })
    return outcome === 'declined' ? undefined : await inspectEtcd({ spec, world }, inspect, signal)
  } finally {
    await remove()
  }
}

/** What a drill would do. */
export async function previewDrill(session: Session, drill: DrillRequest, signal: AbortSignal): Promise<PlanView> {
  const { spec, world } = await clusterOf(session, drill)
  return previewRun({ ...session, world }, { goal: goalOf(drill, 'preview'), wanted: { spec }, signal })
}

function goalOf({ snapshot, skipHashCheck, mustNotReach }: DrillRequest, run: string) {
  const none = { mayBeGone: false, overHealthy: false, members: [] }
  return drillOf({ snapshot, run, skipHashCheck, mustNotReach, ...none })
}

/** A cluster of one machine beside the real one. */
async function clusterOf(session: Session, { secrets, snapshots, mustNotReach }: DrillRequest) {
  return {
    spec: drillSpec(await specOf(session), drillInventory(session.inventory), mustNotReach),
    world: { ...session.world, secrets: drillSecrets(secrets), snapshots },
  }
}

async function inspectEtcd<T>(
  { spec, world }: { readonly spec: Awaited<ReturnType<typeof clusterOf>>['spec']; readonly world: World },
  inspect: (etcd: AsyncIterable<Uint8Array>, machine: string) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const { machines } = await observe(spec.inventory, world, signal)
  const [{ name: machine, address = '' } = { name: '' }] = machines
  return inspect(world.talos.node({ machine, address }).etcd.snapshot(signal), machine)
}
