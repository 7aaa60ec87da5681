import { chooseEtcdSource, type EtcdSource } from '../../backup/etcd-source.js'
import { BackupError } from '../../backup/snapshot-error.js'
import { type ClusterFacts, takeSnapshot } from '../../backup/take-snapshot.js'
import { clusterMarkId } from '../../cluster/identity.js'
import { reasonOf } from '../../errors.js'
import type { Session } from '../../operations/session.js'
import type { SecretsFile } from '../../secrets/bundle.js'
import type { SnapshotsPort } from '../../world.js'
import type { BackupPlace } from '../backup/place.js'
import { findNodeTargets, type NodeTarget } from '../node-targets.js'

/** The path of a member's database on a node. */
const databasePath = '/var/lib/etcd/member/snap/db'

export interface SaveInput {
  readonly opened: Session
  readonly place: BackupPlace
  readonly secrets: SecretsFile
  readonly recipients: readonly string[]
}

/** The control planes of the inventory with known addresses. */
export async function controlPlanesOf({ inventory, world }: Session, signal: AbortSignal): Promise<NodeTarget[]> {
  return (await findNodeTargets(inventory, world, signal)).filter(({ role }) => role === 'controlplane')
}

/** A snapshot if a member can provide one; otherwise a copy of every readable member's database. */
export function saveEtcd(input: SaveInput): SnapshotsPort['save'] {
  return async (note, signal) => {
    const { world, inventory } = input.opened
    const controlPlanes = await controlPlanesOf(input.opened, signal)
    try {
      const source = await chooseEtcdSource(world, controlPlanes, inventory.settings.cluster_name, signal)
      return [await take(input, source, source.stream(signal), signal)]
    } catch (thrown) {
      if (!(thrown instanceof BackupError)) throw thrown
      note(`could not take a snapshot: ${thrown.message}`)
      return copyDatabases(input, controlPlanes, note, signal)
    }
  }
}

async function copyDatabases(
  input: SaveInput,
  controlPlanes: readonly NodeTarget[],
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<string[]> {
  const saved: string[] = []
  for (const { name: machine, address } of controlPlanes) {
    try {
      const stream = input.opened.world.talos.node({ machine, address }).readFile(databasePath, signal)
      saved.push(await take(input, { machine, etcdVersion: '', members: [] }, stream, signal, true))
      note(`copied the database of ${machine}`)
    } catch (thrown) {
      signal.throwIfAborted()
      note(`the database of ${machine} cannot be copied: ${reasonOf(thrown)}`)
    }
  }
  if (saved.length > 0) return saved
  throw new BackupError('The current etcd could not be saved.', {
    where: input.place.store.location,
    fix: 'See the notes of this step. To give up the current state, run the command again with --gone.',
  })
}

async function take(
  { place, secrets, recipients, opened }: SaveInput,
  { machine, etcdVersion, members }: Pick<EtcdSource, 'machine' | 'etcdVersion' | 'members'>,
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  isRawCopy = false,
): Promise<string> {
  const { cluster_name, talos_version, kubernetes_version } = opened.inventory.settings
  const facts: ClusterFacts = {
    cluster: cluster_name,
    clusterId: clusterMarkId(secrets.bundle.cluster.id),
    talosVersion: talos_version,
    kubernetesVersion: kubernetes_version,
    etcdVersion,
    members,
  }
  const input = {
    store: place.store,
    stream,
    from: machine,
    facts,
    secrets,
    recipients,
    takenAt: new Date(),
    isRawCopy,
  }
  return (await takeSnapshot(input, signal)).name
}
