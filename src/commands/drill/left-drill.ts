import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { UserFacingError } from '../../errors.js'
import { findLiveHolder } from '../../ownership/index.js'
import { changesOf } from '../../plan/plan.js'
import type { Reconcile } from '../../reconcile.js'
import { loadSpec } from '../../spec/load-spec.js'
import { askYes } from '../ask.js'
import { dryRunHint } from '../change/show-preview.js'
import type { Context } from '../frame/context.js'
import type { Opened } from '../open-world.js'
import { openReporter, type Reporter } from '../reporter.js'
import { drillInventory, drillSecrets } from './drill-cluster.js'

type Removal = Pick<Reconcile, 'world' | 'emit' | 'signal'> &
  Partial<Pick<Reconcile, 'confirm' | 'forceUnlock'>> & { readonly spec: Omit<ClusterSpec, 'secrets'> }

/** Removes the machine of a drill and its pool. */
export async function removeMachine({
  spec,
  world,
  emit,
  signal,
  forceUnlock = false,
  confirm,
}: Removal): Promise<void> {
  const { reconcile } = await import('../../reconcile.js')
  const { destroy } = await import('../../goals.js')
  const always = async () => true
  await reconcile({ spec, world, emit, signal, forceUnlock, goal: destroy, confirm: confirm ?? always })
}

/** `drill --clean-up`: removes what a killed drill left behind. */
export async function cleanUpDrill(
  opened: Opened,
  { json, forceUnlock }: { readonly json: boolean; readonly forceUnlock: boolean },
  context: Context,
): Promise<number> {
  const reporter = openReporter({ json, folder: opened.inventory.folder, speed: opened.lab?.speed }, context)
  opened.onNotice(reporter.notice)
  try {
    const removal = await removalOf(opened, reporter, context)
    if (removal !== undefined) await removeMachine({ ...removal, forceUnlock })
    return 0
  } finally {
    reporter.end()
  }
}

/**
 * Before a run on the cluster itself: the leftovers of a killed drill are removed, with a separate plan and question. A
 * drill that may still run, here or elsewhere, is left alone and reported.
 */
export async function removeLeftDrill(
  opened: Opened,
  { yes, json }: { readonly yes: boolean; readonly json: boolean },
  reporter: Reporter,
  context: Context,
): Promise<void> {
  const pool = drillPool(opened)
  const pools = await opened.world.proxmox.pools.list(context.signal)
  if (!pools.some(({ id }) => id === pool)) return
  const holder = await findLiveHolder(pools, pool)
  if (holder !== undefined) {
    const who = `${holder.user} on ${holder.host}`
    reporter.notice(
      `A drill is in progress (${who}). If it was killed, run ichor drill --clean-up to remove its machine.`,
    )
    return
  }
  const confirm: Reconcile['confirm'] = async (plan, facts) => {
    if (!json) reporter.showPlan(plan, facts, dryRunHint)
    return yes || changesOf(plan) === 0 || askYes('Remove what a killed drill has left behind?', context)
  }
  const removal = await removalOf(opened, reporter, context)
  if (removal === undefined) return
  await removeMachine({ ...removal, confirm }).catch((thrown: unknown) => {
    if (context.signal.aborted || !(thrown instanceof UserFacingError)) throw thrown
    reporter.notice(
      `The machine of an interrupted drill was not removed: ${thrown.message} Run ichor drill --clean-up later.`,
    )
  })
}

function drillPool({ inventory }: Opened): string {
  return `${inventory.settings.proxmox.pool}-drill`
}

/** `undefined` without secrets: ownership of the machine could not be proven. */
async function removalOf(opened: Opened, { emit }: Reporter, { env, signal }: Context): Promise<Removal | undefined> {
  const { world, lab } = opened
  const secrets = await world.secrets.find()
  if (secrets === undefined) return undefined
  const inventory = drillInventory(withBridge(opened.inventory))
  const spec = await loadSpec(opened.inventory, { env, world, isLab: lab !== undefined })
  return { spec: { ...spec, inventory, addons: [] }, world: { ...world, secrets: drillSecrets(secrets) }, emit, signal }
}

/** Leftovers of a drill are removed even if the inventory no longer names its bridge. */
function withBridge(inventory: Opened['inventory']): Opened['inventory'] {
  const { settings } = inventory
  const bridge = settings.drill.bridge ?? settings.proxmox.bridge
  return { ...inventory, settings: { ...settings, drill: { ...settings.drill, bridge } } }
}
