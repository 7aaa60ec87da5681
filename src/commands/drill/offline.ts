import { type DrillResult, formatDrill, missingKeys } from '../../backup/drill-result.js'
import {
  checkEtcdFile,
  type EtcdContent,
  readEtcdContent,
  statusHash,
} from '../../backup/etcd-snapshot/read-etcd-snapshot.js'
import type { Manifest } from '../../backup/manifest.js'
import { type OpenSnapshot, openForeignFile, openSnapshot } from '../../backup/open-snapshot.js'
import { objectsOf } from '../../backup/snapshot-name.js'
import { sizeText } from '../../cluster/size-text.js'
import { UsageError } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import { reportedRun } from '../../operations/reported-run.js'
import { findAgeKeys } from '../../secrets/sops/age-keys.js'
import { type BackupPlace, getSecrets } from '../backup/place.js'
import { getSnapshot } from '../backup/stored-snapshot.js'
import type { Context } from '../frame/context.js'
import { openReporter } from '../reporter.js'

/** The result of a drill that only reads. */
export interface Drilled {
  readonly snapshot: string
  readonly outcome: DrillResult['outcome']
  readonly hash: string
  readonly content: EtcdContent
  readonly missing: Readonly<Record<string, number>>
}

const steps = [{ id: 'read-snapshot', title: 'read the snapshot' }]

export async function drillStored(
  named: string | undefined,
  { inventory, place, json }: { inventory: Inventory; place: BackupPlace; json: boolean },
  context: Context,
): Promise<Drilled> {
  const { signal, env } = context
  const { cluster_name: cluster } = inventory.settings
  const { bundle } = await getSecrets(place)
  const { manifest } = await getSnapshot(named, { cluster, bundle }, place, signal)
  const identities = await findAgeKeys(env)
  const started = performance.now()
  const open = () => openSnapshot(place.store, manifest, identities, signal)
  const read = await inRun({ inventory, json }, context, () => readAll(open))
  const drilled = verdictOf(manifest, read)
  const result: DrillResult = {
    version: 1,
    at: new Date().toISOString(),
    outcome: drilled.outcome,
    offline: true,
    recovery_ms: Math.round(performance.now() - started),
    expected: manifest.keys,
    found: read.content.keys,
    missing: drilled.missing,
  }
  const note = formatDrill(result, manifest.name, bundle)
  await place.store.putText(objectsOf(manifest.name).drill, note, { mustBeNew: false }, signal)
  return drilled
}

/** A file from elsewhere: nothing is known about it in advance, so a readable one is a success. */
export async function drillFile(
  path: string | undefined,
  { inventory, json }: { inventory: Inventory; json: boolean },
  context: Context,
): Promise<Drilled> {
  if (path === undefined) {
    throw new UsageError('--foreign needs the name of a file.', {
      where: 'ichor drill --offline --foreign',
      fix: 'Name the file, such as etcd.snapshot.',
    })
  }
  const identities = await findAgeKeys(context.env)
  const read = await inRun({ inventory, json }, context, () => readAll(() => openForeignFile(path, identities)))
  return { snapshot: path, outcome: 'passed', missing: {}, ...read }
}

function inRun<T>(
  { inventory, json }: { inventory: Inventory; json: boolean },
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  const reporter = openReporter({ json, folder: inventory.folder }, context)
  const session = { inventory, onNotice: () => {} }
  const announced = { goal: 'drill', steps, sinks: [reporter.sink], signal: context.signal }
  return reportedRun(session, announced, async (step) => {
    return { result: await step('read-snapshot', work), outcome: 'done', changed: 0 }
  }).finally(() => reporter.end())
}

async function readAll(open: () => Promise<OpenSnapshot>): Promise<Pick<Drilled, 'hash' | 'content'>> {
  const { source, where, close } = await open()
  try {
    await checkEtcdFile(source, where)
    return { content: await readEtcdContent(source, { where }), hash: await statusHash(source, where) }
  } finally {
    await close()
  }
}

function verdictOf(manifest: Manifest, { hash, content }: Pick<Drilled, 'hash' | 'content'>): Drilled {
  const missing = missingKeys(manifest.keys, content.keys)
  const isComplete = Object.keys(missing).length === 0 && content.revision === manifest.revision
  return { snapshot: manifest.name, outcome: isComplete ? 'passed' : 'failed', hash, content, missing }
}

export function drilledText({ snapshot, outcome, hash, content, missing }: Drilled): string {
  const byKind = new Map<string, number>()
  for (const { kind, count } of content.objects) byKind.set(kind, (byKind.get(kind) ?? 0) + count)
  const width = Math.max(0, ...[...byKind.keys()].map((kind) => kind.length))
  return [
    `${snapshot}: ${outcome}`,
    `  hash ${hash}, revision ${content.revision}, ${content.totalKeys} keys, ${sizeText(content.databaseSize)}`,
    ...[...byKind].map(([kind, count]) => `  ${kind.padEnd(width)}  ${count}`),
    ...Object.entries(missing).map(([prefix, count]) => `  missing ${count} below ${prefix}`),
    '',
  ].join('\n')
}
