import type { KeyMaterial, RotationNotes, RotationPhase, RotationState } from './cluster/rotation.js'
import type { KubernetesPort } from './kubernetes/port.js'
import type { ProxmoxPort } from './proxmox/client/port.js'
import type { Dialer } from './reach/dialer.js'
import type { ClusterMemory, SecretsFile } from './secrets/bundle.js'
import type { TalosPort } from './talos/api/port.js'
import type { FactoryPort } from './talos/image/port.js'

/** Everything outside that a run can touch. Whoever is not handed one cannot do I/O. */
export interface World {
  readonly proxmox: ProxmoxPort
  readonly talos: TalosPort
  readonly kubernetes: KubernetesPort
  readonly factory: FactoryPort
  readonly secrets: SecretsPort
  /** Only where etcd is restored. */
  readonly snapshots?: SnapshotsPort
  readonly backups: BackupPort
  readonly dialer: Dialer
  readonly clock: Clock
}

/** The only thing that ichor remembers, encrypted beside the inventory or in a vault. */
export interface SecretsPort {
  /** For people: a path or an address. */
  readonly location: string
  find(): Promise<SecretsFile | undefined>
  /** Makes a bundle in the style of that contract and keeps it; throws when there is one already. */
  make(contract: string): Promise<void>
  remember(change: Partial<ClusterMemory>): Promise<void>
  /** Keeps a new key beside the old one, before any node sees it. */
  beginRotation(state: Omit<RotationState, 'phase'>, fresh: KeyMaterial): Promise<void>
  /** The next phase, and from `issue` on the new key in the place of the old one; nothing where it is not in that phase. */
  advanceRotation(from: RotationPhase, seen: Pick<RotationState, 'run'> & RotationNotes): Promise<void>
  remove(): Promise<void>
}

/** The snapshot that is restored, and the place where what is there is saved before. */
export interface SnapshotsPort {
  /** For people: a folder or `s3://bucket/prefix`. */
  readonly location: string
  /** Saves what etcd holds in this moment: a snapshot, or without quorum a copy of every database that can be read. Gives the names. */
  save(note: (text: string) => void, signal: AbortSignal): Promise<readonly string[]>
  /** The clear bytes of the snapshot that is restored. */
  read(signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** Snapshots of etcd, encrypted, where the inventory keeps them. */
export interface BackupPort {
  /** For people: a folder or an address. */
  readonly location: string
  /** Takes one from a member that has caught up with the leader, checks it and keeps it; gives its name. */
  take(request: BackupRequest, signal: AbortSignal): Promise<string>
}

export interface BackupRequest {
  readonly controlPlanes: readonly { readonly name: string; readonly address: string }[]
  /** What runs when it is taken. */
  readonly talosVersion: string
  readonly kubernetesVersion: string
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that only grow, whatever happens to the wall clock. */
  monotonic(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** How many times faster than real time it passes, in a lab. What people read is real time. */
  readonly speed?: number
}
