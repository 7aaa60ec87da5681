import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { bytesOf } from '../../backup/byte-source.js'
import { missingKeys } from '../../backup/drill-result.js'
import {
  checkEtcdFile,
  type EtcdContent,
  readEtcdContent,
  readKeys,
} from '../../backup/etcd-snapshot/read-etcd-snapshot.js'
import { type Manifest, refuseOldKey } from '../../backup/manifest.js'
import { type OpenSnapshot, openForeignFile, openSnapshot } from '../../backup/open-snapshot.js'
import { SnapshotRefused } from '../../backup/snapshot-error.js'
import { etcdOfTalos } from '../../cluster/etcd-version.js'
import type { DesiredRestore } from '../../desired/desired.js'
import { FileError, type PlanRefused, reasonOf } from '../../errors.js'
import { hostOf } from '../../etcd/etcd-now.js'
import { rawCopy } from '../../findings/refusals/backups.js'
import { findAgeKeys } from '../../secrets/sops/age-keys.js'
import { type BackupPlace, getSecrets } from '../backup/place.js'
import { getSnapshot } from '../backup/stored-snapshot.js'
import type { Context } from '../frame/context.js'

/** A snapshot that was read completely and verified. */
export interface ChosenSnapshot extends Pick<DesiredRestore, 'snapshot' | 'skipHashCheck' | 'members'> {
  /** ISO 8601; for a file from elsewhere, its modification time. */
  readonly takenAt: string
  readonly content: EtcdContent
  /** Names of the nodes in it. */
  readonly nodes: readonly string[]
  open(signal: AbortSignal): Promise<OpenSnapshot>
}

const nodesPrefix = '/registry/minions/'

interface Choice {
  readonly named: string
  readonly isForeign: boolean
  readonly skipHashCheck: boolean
  readonly talosVersion: string
  readonly cluster: string
}

/** Reads the whole snapshot before anything is changed; refuses one that etcd could not use, with the reason. */
export async function chooseSnapshot(choice: Choice, place: BackupPlace, context: Context): Promise<ChosenSnapshot> {
  const chosen = choice.isForeign ? await chooseFile(choice, context) : await chooseStored(choice, place, context)
  const open = await chosen.open(context.signal)
  try {
    const { trailerMatches, sha256 } = await checkEtcdFile(open.source, open.where)
    if (trailerMatches === undefined && !choice.skipHashCheck) throw withoutHash(open.where)
    const options = { where: open.where, newestEtcd: etcdOfTalos(choice.talosVersion) }
    const content = await readEtcdContent(open.source, options)
    if (chosen.manifest !== undefined) refuseIncomplete(chosen.manifest, content, open.where)
    return {
      snapshot: chosen.manifest?.name ?? `sha256:${sha256.slice(0, 16)}`,
      skipHashCheck: trailerMatches === undefined,
      members: membersOf(chosen.manifest),
      takenAt: chosen.takenAt,
      content,
      nodes: [...(await readKeys(open.source, nodesPrefix, open.where))].map((key) => key.slice(nodesPrefix.length)),
      open: chosen.open,
    }
  } finally {
    await open.close()
  }
}

/** The decrypted bytes, opened and verified each time. */
export async function* readSnapshot(chosen: ChosenSnapshot, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const open = await chosen.open(signal)
  try {
    yield* bytesOf(open.source)
  } finally {
    await open.close()
  }
}

interface Source extends Pick<ChosenSnapshot, 'takenAt' | 'open'> {
  readonly manifest?: Manifest
}

async function chooseStored({ named, cluster }: Choice, place: BackupPlace, context: Context): Promise<Source> {
  const { bundle } = await getSecrets(place)
  const { manifest } = await getSnapshot(named, { cluster, bundle }, place, context.signal)
  refuseOldKey(manifest, bundle, place.store.location)
  const identities = await findAgeKeys(context.env)
  return {
    manifest,
    takenAt: manifest.taken_at,
    open: (signal) => openSnapshot(place.store, manifest, identities, signal),
  }
}

async function chooseFile({ named }: Choice, { cwd, env }: Context): Promise<Source> {
  const path = resolve(cwd, named)
  const identities = await findAgeKeys(env)
  const { mtime } = await stat(path).catch((thrown: unknown) => {
    throw new FileError(`The file ${path} cannot be read: ${reasonOf(thrown)}.`, {
      where: path,
      fix: 'Name a file that `talosctl etcd snapshot` or `etcdctl snapshot save` wrote.',
    })
  })
  return { takenAt: mtime.toISOString(), open: () => openForeignFile(path, identities) }
}

function membersOf(manifest: Manifest | undefined): DesiredRestore['members'] {
  return (manifest?.members ?? []).map(({ hostname, peer_urls }) => ({
    name: hostname,
    addresses: peer_urls.flatMap((url) => hostOf(url) ?? []),
  }))
}

function refuseIncomplete(
  { keys, revision, raw_copy_of: copied }: Manifest,
  content: EtcdContent,
  where: string,
): void {
  const missing = Object.keys(missingKeys(keys, content.keys))
  if (copied !== undefined || (missing.length === 0 && content.revision === revision)) return
  const what = missing.length === 0 ? `revision ${revision}` : `keys below ${missing.join(', ')}`
  throw new SnapshotRefused(
    'corrupt',
    `The snapshot does not hold what was saved: ${what} ${missing.length === 0 ? 'is' : 'are'} missing.`,
    {
      where,
      fix: 'Choose another snapshot from `ichor backup list`.',
    },
  )
}

function withoutHash(where: string): PlanRefused {
  return rawCopy.refuse('This is a raw copy of a database: it has no hash that proves it whole.', {
    subject: { kind: 'object', name: where },
    where,
    fix: 'Use a snapshot if there is one. If there is none, run the command again with --skip-hash-check.',
  })
}
