import { type DrillResult, formatDrill, missingKeys } from '../../backup/drill-result.js'
import { type EtcdContent, readEtcdContent } from '../../backup/etcd-snapshot/read-etcd-snapshot.js'
import { isFleeting } from '../../backup/fleeting-keys.js'
import { objectsOf } from '../../backup/snapshot-name.js'
import { readSpooled } from '../../backup/spooled-snapshot.js'
import { PlanRefused } from '../../errors.js'
import { changesOf } from '../../plan/plan.js'
import type { Reconcile } from '../../reconcile.js'
import { loadSpec } from '../../spec/load-spec.js'
import { askYes, declinedCode } from '../ask.js'
import { dryRunHint, showPreview } from '../change/show-preview.js'
import type { Context } from '../frame/context.js'
import { openReporter, type Reporter } from '../reporter.js'
import { type ChosenSnapshot, readSnapshot } from '../restore/chosen-snapshot.js'
import type { SaveInput } from '../restore/save-etcd.js'
import { drillInventory, drillSecrets, drillSpec } from './drill-cluster.js'
import { endpointsOf, refuseOpenBridge, refuseWithoutImages } from './isolation.js'
import { removeMachine } from './left-drill.js'

export interface MachineDrill {
  readonly chosen: ChosenSnapshot
  readonly input: SaveInput
  readonly yes: boolean
  readonly json: boolean
  readonly forceUnlock: boolean
  readonly dryRun: boolean
}

/** Restores the snapshot on a new control plane, counts the restored objects, and removes the machine. */
export async function drillOnMachine(drill: MachineDrill, context: Context): Promise<number> {
  const { chosen, input, json } = drill
  const { opened } = input
  const reporter = openReporter({ json, folder: opened.inventory.folder, speed: opened.lab?.speed }, context)
  opened.onNotice(reporter.notice)
  try {
    const request = await requestOf(drill, reporter, context)
    refuseWithoutImages(opened.inventory)
    await refuseOpenBridge(opened.inventory, opened.world, context.signal)
    refuseKnownName(request.spec.inventory.machines[0]?.name ?? '', chosen)
    if (drill.dryRun) {
      const goal = await goalOf(chosen, request, reporter)
      return await showPreview({ ...request, goal }, drill, { ...opened, ...request }, context)
    }
    await removeMachine(request)
    const result = await prove(drill, request, reporter, context).finally(() => removeMachine(request))
    reporter.end()
    if (result === undefined) return declinedCode
    await input.place.store.putText(
      objectsOf(chosen.snapshot).drill,
      formatDrill(result),
      { mustBeNew: false },
      context.signal,
    )
    context.stdout.write(
      json
        ? `${JSON.stringify({ type: 'drill.finished', snapshot: chosen.snapshot, ...result })}\n`
        : textOf(chosen.snapshot, result),
    )
    return result.outcome === 'passed' ? 0 : 1
  } finally {
    reporter.end()
  }
}

async function requestOf({ input, forceUnlock, chosen }: MachineDrill, reporter: Reporter, { env, signal }: Context) {
  const { opened, secrets, place } = input
  const isLab = opened.lab !== undefined
  const inventory = drillInventory(opened.inventory)
  const mustNotReach = await endpointsOf(opened, chosen, signal)
  const spec = drillSpec(await loadSpec(opened.inventory, { env, world: opened.world, isLab }), inventory, mustNotReach)
  const snapshots = {
    location: place.store.location,
    save: async () => [],
    read: (stop: AbortSignal) => readSnapshot(chosen, stop),
  }
  const world = { ...opened.world, secrets: drillSecrets(secrets), snapshots }
  return { spec, world, emit: reporter.emit, signal, forceUnlock, mustNotReach }
}

type Request = Awaited<ReturnType<typeof requestOf>>

/** Its kubelet must find no pods that are bound to it. */
function refuseKnownName(name: string, { nodes }: ChosenSnapshot): void {
  if (!nodes.includes(name)) return
  throw new PlanRefused(`The snapshot knows a node ${name}: the machine of the drill would start its pods.`, {
    where: `node ${name}`,
    fix: 'Delete that node from the cluster and take a new snapshot.',
  })
}

async function goalOf({ snapshot, skipHashCheck }: ChosenSnapshot, { mustNotReach }: Request, { run }: Reporter) {
  const { drillOf } = await import('../../goals.js')
  const none = { mayBeGone: false, overHealthy: false, members: [] }
  return drillOf({ snapshot, run, skipHashCheck, mustNotReach, ...none })
}

async function prove(
  { chosen, input, yes, json }: MachineDrill,
  request: Request,
  reporter: Reporter,
  context: Context,
): Promise<DrillResult | undefined> {
  const { reconcile } = await import('../../reconcile.js')
  const { snapshot } = chosen
  const goal = await goalOf(chosen, request, reporter)
  const confirm: Reconcile['confirm'] = async (plan, facts) => {
    if (!json) reporter.showPlan(plan, facts, dryRunHint)
    return yes || changesOf(plan) === 0 || askYes(`Restore ${snapshot} on a machine of its own?`, context)
  }
  const started = performance.now()
  const { outcome } = await reconcile({ ...request, goal, confirm })
  if (outcome === 'declined') return undefined
  const recovery = Math.round(performance.now() - started)
  return verdictOf(chosen, await contentOf(request, input, context.signal), recovery)
}

/** The contents of the recovered etcd, read like a backup. */
async function contentOf(
  request: Request,
  { place, recipients }: SaveInput,
  signal: AbortSignal,
): Promise<EtcdContent> {
  const { observe } = await import('../../observe/observe.js')
  const { machines } = await observe(request.spec.inventory, request.world, signal)
  const [{ name: machine, address = '' } = { name: '' }] = machines
  const stream = request.world.talos.node({ machine, address }).etcd.snapshot(signal)
  const where = `the etcd of ${machine}`
  return readSpooled(stream, { store: place.store, recipients, from: machine }, (source) =>
    readEtcdContent(source, { where }),
  )
}

function verdictOf(chosen: ChosenSnapshot, content: EtcdContent, recovery: number): DrillResult {
  const lasting = (keys: EtcdContent['keys']) =>
    Object.fromEntries(Object.entries(keys).filter(([prefix]) => !isFleeting(prefix)))
  const [expected, found] = [lasting(chosen.content.keys), lasting(content.keys)]
  const missing = { ...missingKeys(expected, found), ...missingObjects(chosen.content, content) }
  const outcome = Object.keys(missing).length === 0 ? 'passed' : 'failed'
  return {
    version: 1,
    at: new Date().toISOString(),
    outcome,
    offline: false,
    recovery_ms: recovery,
    expected,
    found,
    missing,
  }
}

/** By kind and namespace, in words: `configmaps in default`. */
function missingObjects(saved: EtcdContent, found: EtcdContent): Record<string, number> {
  const counts = ({ objects }: EtcdContent) =>
    Object.fromEntries(
      objects
        .filter(({ kind }) => !/^(events|leases|masterleases)/.test(kind))
        .map(({ kind, namespace, count }) => [namespace === '' ? kind : `${kind} in ${namespace}`, count]),
    )
  return missingKeys(counts(saved), counts(found))
}

function textOf(snapshot: string, { outcome, recovery_ms, found, missing }: DrillResult): string {
  const objects = Object.values(found).reduce((sum, count) => sum + count, 0)
  return [
    `${snapshot}: ${outcome}`,
    `  recovered in ${Math.round(recovery_ms / 1000)} s, ${objects} objects restored`,
    ...Object.entries(missing).map(([what, count]) => `  missing ${count}: ${what}`),
    '',
  ].join('\n')
}
