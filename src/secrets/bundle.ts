import type { Recovery } from '../cluster/recovery.js'
import type { KeyMaterial, RotatedKeys, RotationState, RotationTarget } from '../cluster/rotation.js'
import type { Bindings } from './bound-to.js'

/**
 * The secrets of a cluster in exactly the format of `talosctl gen secrets`: keys and certificates are base64 of PEM.
 */
export interface SecretsBundle {
  readonly cluster: { readonly id: string; readonly secret: string }
  readonly secrets: {
    readonly bootstraptoken: string
    readonly secretboxencryptionsecret?: string
    /** Only in bundles from before Talos 1.3. */
    readonly aescbcencryptionsecret?: string
  }
  readonly trustdinfo: { readonly token: string }
  readonly certs: {
    readonly etcd: CertificateAndKey
    readonly k8s: CertificateAndKey
    readonly k8saggregator: CertificateAndKey
    readonly k8sserviceaccount: { readonly key: string }
    readonly os: CertificateAndKey
  }
  /** What is accepted besides the keys above: derived from the current rotation, and not written. */
  readonly accepted?: AcceptedKeys
}

/** Lists in base64. */
export interface AcceptedKeys {
  /** Certificates of the Talos CA. */
  readonly os?: readonly string[]
  /** Certificates of the Kubernetes CA. */
  readonly k8s?: readonly string[]
  /** Public keys, in PEM. */
  readonly serviceAccount?: readonly string[]
  /** Keys that can still decrypt Secrets in etcd. */
  readonly secretbox?: readonly string[]
}

export interface CertificateAndKey {
  readonly crt: string
  readonly key: string
}

/** What else ichor must store, under its own key in the same file; Talos's tools ignore it. */
export interface ClusterMemory {
  /** Written before etcd is bootstrapped, so that a second, empty etcd is never created. */
  readonly bootstrapped: boolean
  /** Every mark of the cluster is sealed: one without a seal is no longer trusted. */
  readonly sealed?: boolean
  /** The version contract of this cluster's configs, such as `v1.13`. */
  readonly contract?: string
  /** The last restore of etcd, recorded before its first change. */
  readonly recovery?: Recovery
  /** The last key rotation, recorded before its first change. */
  readonly rotation?: Rotation
  /** The last change of each rotated key. */
  readonly rotated?: RotatedKeys
  /** Where the token for Proxmox and the keys of the backups may be sent. */
  readonly boundTo?: Bindings
  /** Proxmox tokens and other values by name, for references in the inventory and for addons. */
  readonly values: Readonly<Record<string, string>>
}

export interface Rotation extends RotationState {
  /** In `accept`, the new key; from then on the old one, until no node accepts it any more. */
  readonly other?: KeyMaterial
}

/** What is written at once: memory, and the key that signs from then on. */
export interface SecretsChange extends Partial<ClusterMemory> {
  readonly signing?: { readonly what: RotationTarget; readonly material: KeyMaterial }
}

export interface SecretsFile {
  readonly bundle: SecretsBundle
  readonly memory: ClusterMemory
  /** The age recipients that can decrypt them; absent if they are not in a SOPS file. */
  readonly recipients?: readonly string[]
}
