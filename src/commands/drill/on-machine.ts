import { type DrillResult, formatDrill, missingKeys } from '../../backup/drill-result.js'
import { type EtcdContent, readEtcdContent } from '../../backup/etcd-snapshot/read-etcd-snapshot.js'
import { isFleeting } from '../../backup/fleeting-keys.js'
import { objectsOf } from '../../backup/snapshot-name.js'
import { readSpooled } from '../../backup/spooled-snapshot.js'
import { drillIsKnown } from '../../findings/refusals/runs.js'
import type { DrillRequest } from '../../operations/drill/drill.js'
import { declinedCode } from '../ask.js'
import { dryRunHint, showPreview } from '../change/show-preview.js'
import { terminalConsent } from '../consent.js'
import type { Context } from '../frame/context.js'
import { openReporter } from '../reporter.js'
import { type ChosenSnapshot, readSnapshot } from '../restore/chosen-snapshot.js'
import type { SaveInput } from '../restore/save-etcd.js'
import { endpointsOf, refuseOpenBridge, refuseWithoutImages } from './isolation.js'

export interface MachineDrill {
  readonly chosen: ChosenSnapshot
  readonly input: SaveInput
  readonly yes: boolean
  readonly json: boolean
  readonly forceUnlock: boolean
  readonly dryRun: boolean
  readonly steps: boolean
}

/** Restores the snapshot on a new control plane, counts the restored objects, and removes the machine. */
export async function drillCommand(drill: MachineDrill, context: Context): Promise<number> {
  const { chosen, input, json, dryRun, steps } = drill
  const { opened: session, place, secrets } = input
  const { drillInventory } = await import('../../operations/drill/drill-cluster.js')
  refuseKnownName(drillInventory(session.inventory).machines[0]?.name ?? '', chosen)
  refuseWithoutImages(session.inventory)
  await refuseOpenBridge(session.inventory, session.world, context.signal)
  const request = await requestOf(drill, context.signal)
  if (dryRun) {
    const { previewDrill } = await import('../../operations/drill/drill.js')
    showPreview(await previewDrill(session, request, context.signal), { json, steps }, session, context)
    return 0
  }
  const result = await prove(drill, request, context)
  if (result === undefined) return declinedCode
  const note = formatDrill(result, chosen.snapshot, secrets.bundle)
  await place.store.putText(objectsOf(chosen.snapshot).drill, note, { mustBeNew: false }, context.signal)
  context.stdout.write(
    json
      ? `${JSON.stringify({ type: 'drill.finished', snapshot: chosen.snapshot, ...result })}\n`
      : textOf(chosen.snapshot, result),
  )
  return result.outcome === 'passed' ? 0 : 1
}

async function requestOf({ input, chosen }: MachineDrill, signal: AbortSignal): Promise<DrillRequest> {
  const { opened, secrets, place } = input
  return {
    snapshot: chosen.snapshot,
    skipHashCheck: chosen.skipHashCheck,
    secrets,
    mustNotReach: await endpointsOf(opened, chosen, signal),
    snapshots: {
      location: place.store.location,
      save: async () => [],
      read: (stop) => readSnapshot(chosen, stop),
    },
  }
}

/** Its kubelet must find no pods that are bound to it. */
function refuseKnownName(name: string, { nodes }: ChosenSnapshot): void {
  if (!nodes.includes(name)) return
  throw drillIsKnown.refuse(`The snapshot knows a node ${name}: the machine of the drill would start its pods.`, {
    subject: { kind: 'node', name },
    where: `node ${name}`,
    fix: 'Delete that node from the cluster and take a new snapshot.',
  })
}

async function prove(
  { chosen, input, yes, json, forceUnlock }: MachineDrill,
  request: DrillRequest,
  context: Context,
): Promise<DrillResult | undefined> {
  const { drillOnMachine } = await import('../../operations/drill/drill.js')
  const { opened: session, place, recipients } = input
  const reporter = openReporter({ json, folder: session.inventory.folder, speed: session.lab?.speed }, context)
  let started = performance.now()
  const onAgreed = () => {
    started = performance.now()
  }
  const question = `Restore ${chosen.snapshot} on a machine of its own?`
  const consent = terminalConsent({ yes, question, stepsHint: dryRunHint, onAgreed }, reporter, context)
  const run = { ...request, forceUnlock, consent, sinks: [reporter.sink], signal: context.signal }
  const inspect = async (etcd: AsyncIterable<Uint8Array>, machine: string) => {
    const recovery = Math.round(performance.now() - started)
    const spool = { store: place.store, recipients, from: machine }
    const where = `the etcd of ${machine}`
    return verdictOf(chosen, await readSpooled(etcd, spool, (source) => readEtcdContent(source, { where })), recovery)
  }
  return drillOnMachine(session, run, inspect).finally(() => reporter.end())
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
