import type {
  KeyMaterial,
  RotationAuthor,
  RotationBeginning,
  RotationNotes,
  RotationPhase,
} from './cluster/rotation.js'
import type { KubernetesPort } from './kubernetes/port.js'
import type { ProxmoxPort } from './proxmox/client/port.js'
import type { Dialer } from './reach/dialer.js'
import type { ClusterMemory, SecretsFile } from './secrets/bundle.js'
import type { TalosPort } from './talos/api/port.js'
import type { FactoryPort } from './talos/image/port.js'
import type { AddonDelivery } from './trust/addon-receiver.js'

/** Everything outside that a run can use. Code without one cannot do I/O. */
export interface World {
  readonly proxmox: ProxmoxPort
  readonly talos: TalosPort
  readonly kubernetes: KubernetesPort
  readonly factory: FactoryPort
  readonly secrets: SecretsPort
  /** Only for a restore of etcd. */
  readonly snapshots?: SnapshotsPort
  readonly backups: BackupPort
  readonly dialer: Dialer
  readonly clock: Clock
}

/** The only stored state of ichor, encrypted next to the inventory or in a vault. */
export interface SecretsPort {
  /** For messages: a path or an address. */
  readonly location: string
  find(): Promise<SecretsFile | undefined>
  /** Creates and stores a bundle for that contract; throws if there is one already. */
  make(contract: string): Promise<void>
  remember(change: Partial<ClusterMemory>): Promise<void>
  /** Refuses to give an addon a secret that neither the secrets nor the operator have bound to that address. */
  settleAddon(delivery: AddonDelivery): Promise<void>
  /** Stores a new key next to the old one, before any node gets it. */
  beginRotation(state: RotationBeginning, fresh: KeyMaterial): Promise<void>
  /**
   * Records the next phase, and from `issue` on the new key instead of the old one; does nothing in any other phase.
   */
  advanceRotation(from: RotationPhase, seen: RotationAuthor & RotationNotes): Promise<void>
  remove(): Promise<void>
}

/** The snapshot to restore, and the store for a backup of the current state. */
export interface SnapshotsPort {
  /** For messages: a folder or `s3://bucket/prefix`. */
  readonly location: string
  /**
   * Saves the current contents of etcd: a snapshot, or without quorum a copy of every readable database. Returns the
   * names.
   */
  save(note: (text: string) => void, signal: AbortSignal): Promise<readonly string[]>
  /** The decrypted bytes of the snapshot to restore. */
  read(signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** Encrypted etcd snapshots in the store of the inventory. */
export interface BackupPort {
  /** For messages: a folder or an address. */
  readonly location: string
  /** Throws if snapshots cannot be stored there: it does not answer, or the keys may not be sent there. */
  reach(signal: AbortSignal): Promise<void>
  /** Takes one from a member that has caught up with the leader, verifies and stores it; returns its name. */
  take(request: BackupRequest, signal: AbortSignal): Promise<string>
}

export interface BackupRequest {
  /** Who can decrypt it, as shown in the plan. */
  readonly recipients: readonly string[]
  readonly controlPlanes: readonly { readonly name: string; readonly address: string }[]
  /** The running versions when it is taken. */
  readonly talosVersion: string
  readonly kubernetesVersion: string
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that never decrease, whatever happens to the wall clock. */
  monotonic(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** How many times faster than real time it runs, in a lab. Users read real time. */
  readonly speed?: number
}
