import { type DrillResult, formatDrill, missingKeys } from '../backup/drill-result.js'
import {
  checkEtcdFile,
  type EtcdContent,
  readEtcdContent,
  statusHash,
} from '../backup/etcd-snapshot/read-etcd-snapshot.js'
import { type Manifest, refuseForeign } from '../backup/manifest.js'
import { type OpenSnapshot, openForeignFile, openSnapshot } from '../backup/open-snapshot.js'
import { objectsOf } from '../backup/snapshot-name.js'
import { clusterMarkId } from '../cluster/identity.js'
import { NotBuiltYet, UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import { findAgeKeys } from '../secrets/sops/age-keys.js'
import { type BackupPlace, getSecrets, openPlace } from './backup/place.js'
import { reportedRun } from './backup/reported-run.js'
import { getSnapshot } from './backup/stored-snapshot.js'
import { toArg } from './backup/take.js'
import { sizeText } from './backup/texts.js'
import type { Context } from './frame/context.js'
import { defineCommand } from './frame/define-command.js'
import { loadOne } from './one-inventory.js'
import { openReporter } from './reporter.js'
import { inventoryArg, jsonArg, labArg } from './shared-args.js'

export default defineCommand({
  description:
    'Proves a snapshot. With --offline it reads the file itself: hash, revision, and the number of objects of every kind, compared with what was saved. Ends with 1 when something is missing.',
  examples: [
    'ichor drill --offline',
    'ichor drill --offline dev-20261115T120000Z-1a2b3c4d',
    'ichor drill --offline --foreign etcd.snapshot',
  ],
  positionals: [{ name: 'SNAPSHOT', required: false, help: 'the newest, unless named; with --foreign a file' }],
  args: {
    ...inventoryArg,
    ...jsonArg,
    ...labArg,
    ...toArg,
    offline: { type: 'flag', help: 'read the file itself, without a machine' },
    foreign: { type: 'flag', help: 'read a file that talosctl or etcdctl wrote' },
  },
  async run({ inventory, json, lab, to, offline, foreign }, context, [named]) {
    if (!offline) {
      throw new NotBuiltYet('A drill on a machine of its own is not built yet.', {
        where: 'ichor drill',
        fix: 'Use `ichor drill --offline`, which reads the snapshot itself.',
      })
    }
    const one = await loadOne(inventory, context)
    const place = await openPlace(one, { to, lab }, context)
    const drilled = foreign
      ? await drillFile(named, { inventory: one, json }, context)
      : await drillStored(named, { inventory: one, place, json }, context)
    context.stdout.write(
      json ? `${JSON.stringify({ version: 1, type: 'drill.finished', ...drilled })}\n` : textOf(drilled),
    )
    return drilled.outcome === 'passed' ? 0 : 1
  },
})

interface Drilled {
  readonly snapshot: string
  readonly outcome: DrillResult['outcome']
  readonly hash: string
  readonly content: EtcdContent
  readonly missing: Readonly<Record<string, number>>
}

const steps = [{ id: 'read-snapshot', title: 'read the snapshot' }]

async function drillStored(
  named: string | undefined,
  { inventory, place, json }: { inventory: Inventory; place: BackupPlace; json: boolean },
  context: Context,
): Promise<Drilled> {
  const { signal, env } = context
  const { cluster_name: cluster } = inventory.settings
  const { bundle } = await getSecrets(place)
  const { manifest } = await getSnapshot(named, cluster, place, signal)
  refuseForeign(manifest, bundle, clusterMarkId(bundle.cluster.id), place.store.location)
  const identities = await findAgeKeys(env)
  const started = performance.now()
  const open = () => openSnapshot(place.store, manifest, identities, signal)
  const read = await inRun(cluster, { inventory, json }, context, () => readAll(open))
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
  await place.store.putText(objectsOf(manifest.name).drill, formatDrill(result), { mustBeNew: false }, signal)
  return drilled
}

/** A file of others: nothing is known of it before, so whatever can be read is a success. */
async function drillFile(
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
  const { cluster_name: cluster } = inventory.settings
  const read = await inRun(cluster, { inventory, json }, context, () =>
    readAll(() => openForeignFile(path, identities)),
  )
  return { snapshot: path, outcome: 'passed', missing: {}, ...read }
}

function inRun<T>(
  cluster: string,
  { inventory, json }: { inventory: Inventory; json: boolean },
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  const reporter = openReporter({ json, folder: inventory.folder }, context)
  const run = reportedRun(reporter.emit, { cluster, goal: 'drill', steps, signal: context.signal }, async (step) => {
    return { result: await step('read-snapshot', work), outcome: 'done', changed: 0 }
  })
  return run.finally(() => reporter.end())
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
  const isWhole = Object.keys(missing).length === 0 && content.revision === manifest.revision
  return { snapshot: manifest.name, outcome: isWhole ? 'passed' : 'failed', hash, content, missing }
}

function textOf({ snapshot, outcome, hash, content, missing }: Drilled): string {
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
