import { UserFacingError } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import { findLiveHolder } from '../../ownership/index.js'
import { cleanUp } from '../goals.js'
import { type Reconcile, reconcile } from '../reconcile.js'
import type { Consent } from '../run.js'
import { openRunLog, type RunLog, type Sink } from '../run-log.js'
import type { Session } from '../session.js'
import { specOf } from '../spec/spec-of.js'
import { drillInventory, drillSecrets } from './drill-cluster.js'

type Removal = Pick<Reconcile, 'spec' | 'world' | 'run' | 'emit' | 'signal'> &
  Partial<Pick<Reconcile, 'confirm' | 'forceUnlock'>>

/** Removes the machine of a drill and its pool. */
export async function removeMachine({ confirm = async () => true, ...request }: Removal): Promise<void> {
  await reconcile({ ...request, goal: cleanUp, confirm })
}

interface CleanUp {
  readonly forceUnlock: boolean
  readonly sinks: readonly Sink[]
  readonly signal: AbortSignal
}

/** `drill --clean-up`: removes what a killed drill left behind. */
export async function cleanUpDrill(session: Session, { forceUnlock, sinks, signal }: CleanUp): Promise<void> {
  const removal = await removalOf(session, openRunLog(session, sinks), signal)
  if (removal !== undefined) await removeMachine({ ...removal, forceUnlock })
}

/**
 * Before a run on the cluster itself: the leftovers of a killed drill are removed, with a separate plan and question. A
 * drill that may still run, here or elsewhere, is left alone and reported.
 */
export async function removeLeftDrill(
  session: Session,
  log: RunLog,
  { consent, signal }: { readonly consent: Consent; readonly signal: AbortSignal },
): Promise<void> {
  const pool = `${session.inventory.settings.proxmox.pool}-drill`
  const pools = await session.world.proxmox.pools.list(signal)
  if (!pools.some(({ id }) => id === pool)) return
  const holder = await findLiveHolder(pools, pool)
  if (holder !== undefined) {
    const who = `${holder.user} on ${holder.host}`
    log.notice(`A drill is in progress (${who}). If it was killed, run ichor drill --clean-up to remove its machine.`)
    return
  }
  const removal = await removalOf(session, log, signal)
  if (removal === undefined) return
  const confirm: Reconcile['confirm'] = (_plan, { view }) => consent.confirm(view, signal)
  await removeMachine({ ...removal, confirm }).catch((thrown: unknown) => {
    if (signal.aborted || !(thrown instanceof UserFacingError)) throw thrown
    log.notice(
      `The machine of an interrupted drill was not removed: ${thrown.message} Run ichor drill --clean-up later.`,
    )
  })
}

/** `undefined` without secrets: ownership of the machine could not be proven. */
async function removalOf(session: Session, { run, emit }: RunLog, signal: AbortSignal): Promise<Removal | undefined> {
  const { inventory, world } = session
  const secrets = await world.secrets.find()
  if (secrets === undefined) return undefined
  return {
    spec: { ...(await specOf(session)), inventory: drillInventory(withBridge(inventory)), addons: [] },
    world: { ...world, secrets: drillSecrets(secrets) },
    run,
    emit,
    signal,
  }
}

/** Leftovers of a drill are removed even if the inventory no longer names its bridge. */
function withBridge(inventory: Inventory): Inventory {
  const { settings } = inventory
  const bridge = settings.drill.bridge ?? settings.proxmox.bridge
  return { ...inventory, settings: { ...settings, drill: { ...settings.drill, bridge } } }
}
