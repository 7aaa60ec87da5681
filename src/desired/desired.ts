import type { PlannedAddon } from '../addons/planned-addon.js'
import type { KubernetesImages } from '../cluster/config-images.js'
import type { Identity, Machine, Role, VmRef } from '../cluster/machine.js'
import type { KeyMaterial, RotationTarget } from '../cluster/rotation.js'
import type { Hop, NoWay } from '../cluster/upgrade-path.js'
import type { Sealer } from '../ownership/seal.js'
import type { BackupJob, HighAvailability, VmOptions } from '../proxmox/client/port.js'
import type { Disk } from '../proxmox/model/options/disk.js'
import type { Schematic } from '../talos/image/schematic.js'

/** Everything that is wanted, worked out: where each machine goes, what its VM and its config look like. */
export interface Desired {
  readonly cluster: DesiredCluster
  /** Those that can be worked on. */
  readonly machines: readonly DesiredMachine[]
  /** Those on hosts that do not answer: wanted, and left alone. */
  readonly away: readonly DesiredAway[]
  readonly guestsToMake: readonly DesiredGuest[]
  readonly images: readonly DesiredImage[]
  readonly templates: readonly DesiredTemplate[]
  readonly addons: readonly PlannedAddon[]
  /** What Proxmox backs up by itself. */
  readonly backupJob?: BackupJob
  /** What Proxmox HA looks after. */
  readonly highAvailability?: HighAvailability
  /** Rules of Proxmox on the VMs. */
  readonly vmFirewall?: DesiredVmFirewall
  /** The firewall of the datacentre is on, and its hosts are administered from these networks only. */
  readonly hostFirewall?: DesiredHostFirewall
  /** Content types that storages must allow first. */
  readonly contentToEnable: readonly { readonly storage: string; readonly content: string }[]
}

export interface DesiredCluster {
  readonly name: string
  /** Hash of the secret cluster id, as marks carry it; `undefined` until the secrets exist. */
  readonly id?: string
  /** Seals marks with the secrets of the cluster; `undefined` until they exist. */
  readonly sealer?: Sealer
  /** Proxmox pool of its machines; leases are its children. */
  readonly pool: string
  readonly tags: readonly string[]
  /** `https://10.0.10.10:6443`; `undefined` until DHCP has reported the first control plane's address. */
  readonly endpoint?: string
  /** What this round works towards: on the way to another minor it is not yet what the inventory specifies. */
  readonly talosVersion: string
  readonly kubernetesVersion: string
  /** What the inventory specifies. */
  readonly target: { readonly talos: string; readonly kubernetes: string }
  /** The change of version that this round is about. */
  readonly hop?: Hop
  /** What the inventory says cannot be reached from what runs. */
  readonly noWay?: NoWay
  /** The style of the configs, fixed when the cluster is made: `v1.13`. */
  readonly contract: string
  readonly boot: 'image' | 'iso' | 'template'
  readonly delivery: 'cidata' | 'apply'
  /** Clones do not depend on their template. */
  readonly fullClones: boolean
  /** Where etcd is bootstrapped: always the control plane with the lowest name. */
  readonly bootstrapMachine: string
  /** Talos brings a network, or an addon does: nodes can become Ready. */
  readonly hasNetwork: boolean
  /** The user gave the old etcd up: a second, empty one may be made. */
  readonly newEtcd?: boolean
  /** etcd is to come from a snapshot, and has not yet. */
  readonly restore?: DesiredRestore
  /** Machines that are never deleted: all, the control planes, or those of these names. */
  readonly protect?: boolean | 'control_plane' | readonly string[]
  /** Machines whose VM this run replaces, by name: the id of the run. */
  readonly replacing?: Readonly<Record<string, string>>
  /** Machines that this run reboots, by name: the id of the run. */
  readonly rebooting?: Readonly<Record<string, string>>
  /** The key that this run replaces. */
  readonly rotating?: DesiredRotation
  /** Why machines that are not wanted any more go, by name. */
  readonly leaving?: Readonly<Record<string, string>>
  /** How machines are drained, restarted and replaced, one after the other. */
  readonly roll?: DesiredRoll
  /** How many machines of a worker pool may be away at once; one, where nothing is said. */
  readonly maxUnavailable?: Readonly<Record<string, number>>
  /** How many machines of a worker pool may be there beyond its size; none, where nothing is said. */
  readonly surge?: Readonly<Record<string, number>>
  /** Hosts that machines leave. */
  readonly evacuated?: readonly string[]
  /** Where helm's image comes from, in place of the public registry. */
  readonly imageMirror?: string
  /** How long the firewall of a node is tried before it is kept. */
  readonly firewallTrialMs?: number
  /** How far `up` goes. */
  readonly until: 'vms' | 'bootstrap' | 'addons' | 'healthy'
}

/** A security group for each role. */
export interface DesiredVmFirewall {
  readonly groups: Readonly<Record<Role, DesiredGroup>>
  /** How long the rules of a VM are tried before they are kept. */
  readonly trialMs: number
}

export interface DesiredHostFirewall {
  /** Whose it is. */
  readonly comment: string
  readonly admins: readonly string[]
  /** How long it is tried before it is kept. */
  readonly trialMs: number
}

/** A security group of Proxmox, the IP sets that it names, and what a VM that uses it does with the rest. */
export interface DesiredGroup {
  /** Another policy has another name. */
  readonly name: string
  /** Whose it is. */
  readonly comment: string
  /** What it is made from: for consent, which does not depend on its name. */
  readonly policy: unknown
  readonly ipsets: readonly { readonly name: string; readonly entries: readonly string[] }[]
  /** In their order. */
  readonly rules: readonly {
    readonly action: 'ACCEPT' | 'DROP'
    readonly match: Readonly<Record<string, string>>
  }[]
  readonly policyIn: 'ACCEPT' | 'DROP'
}

export interface DesiredRoll {
  readonly drainTimeoutMs: number
  /** When the time is up, pods that a PodDisruptionBudget holds are deleted. */
  readonly ignoresBudgets: boolean
  /** The user's own check, which must pass after each machine. */
  readonly check?: { readonly command: readonly string[] } | { readonly url: string }
  readonly checkTimeoutMs: number
}

/** A key that is to be replaced by a new one. */
export interface DesiredRotation {
  readonly what: RotationTarget
  /** The run that asks for it: a rotation that another run finished is not this one. */
  readonly run: string
  /** Taken where none was begun. */
  readonly fresh: KeyMaterial
}

/** A restore that is not done. */
export interface DesiredRestore {
  /** Name of the snapshot; `sha256:…` for a file of others. */
  readonly snapshot: string
  /** The run that asks for it: a restore that another run finished is not this one. */
  readonly run: string
  /** A raw copy of the database has no hash at its end. */
  readonly skipHashCheck: boolean
  /** Control planes that cannot be reached, and what their etcd holds, are given up. */
  readonly mayBeGone: boolean
  /** An etcd that is well may be replaced. */
  readonly overHealthy: boolean
  /** Members of etcd when the snapshot was taken. */
  readonly members: readonly { readonly name: string; readonly addresses: readonly string[] }[]
  /** `10.0.10.10:50000`: what the machine of a drill must not reach, proved by its own probes before etcd is recovered on it. */
  readonly mustNotReach?: readonly string[]
}

export interface DesiredMachine extends VmRef {
  readonly machine: Machine
  /** The host that it moves to: its own is evacuated, or it comes back. Until then everything else is for where it is. */
  readonly moveTo?: string
  /** The host that it left when that was evacuated, and goes back to. */
  readonly home?: string
  /** Key of its image in `Desired.images`. */
  readonly image: string
  /** Name of the template that it is cloned from. */
  readonly template?: string
  /** Options of the VM but for its disks, its medium and its mark. */
  readonly options: VmOptions
  readonly disks: readonly DesiredDisk[]
  readonly efi?: { readonly datastore: string }
  readonly tpm?: { readonly datastore: string }
  /** Where its config lies until it has read it. */
  readonly seed: DesiredSeed
  /** CD drives that it has from its creation. */
  readonly drives: { readonly install?: string; readonly seed?: string }
  readonly hasAgent: boolean
  /** Static, or reserved by MAC; `undefined` where only the guest agent can tell. */
  readonly address?: string
  /** Of what a mark says was wanted when it was last written. */
  readonly spec: string
  /** `undefined` until the secrets exist. */
  readonly talos?: DesiredTalos
  /** What installs and upgrades it. */
  readonly installer: DesiredInstaller
  /** What only an admin client may put on the node. */
  readonly node: { readonly labels: Readonly<Record<string, string>>; readonly taints: Machine['taints'] }
}

/**
 * As a disk of the VM, which only its owner can read, made from an upload that is deleted at once; or, where Proxmox or its
 * storages cannot import images, as an ISO in a drive.
 */
export interface DesiredSeed {
  readonly kind: 'disk' | 'iso'
  /** Where it is uploaded to. */
  readonly storage: string
  readonly slot: string
}

/** A version of Talos with its extensions and kernel arguments. */
export interface DesiredInstaller {
  /** The container image. */
  readonly image: string
  readonly version: string
  /** Of its schematic. */
  readonly id: string
  /** The schematic that runs should be this one; a machine that was made from an image of the user's own runs another. */
  readonly isCompared: boolean
  /** Registered before the first pull; absent where the inventory names a ready one. */
  readonly schematic?: Schematic
}

/** A wanted machine whose VM nobody can look at. */
export interface DesiredAway extends VmRef {
  readonly machine: Machine
}

/** A VM that is never started, from which machines are cloned. */
export interface DesiredTemplate extends VmRef {
  readonly name: string
  readonly role: Role
  readonly identity: Identity
  readonly image: string
  readonly options: VmOptions
  readonly disk: DesiredDisk
  /** CD drives that its clones have. */
  readonly drives: DesiredMachine['drives']
  readonly hasEfi: boolean
  readonly hasTpm: boolean
  readonly spec: string
}

export interface DesiredDisk {
  /** `scsi0` is the system disk. */
  readonly slot: string
  readonly datastore: string
  /** Bytes. */
  readonly size: number
  readonly serial?: string
  /** Such as `discard` and `ssd`. */
  readonly flags: Disk
}

export interface DesiredTalos {
  /** The machine config; holds secrets. */
  readonly config: string
  /** What a machine starts with: its firewall is tried later, when it runs and can be reached. */
  readonly firstConfig: string
  /** The config with the firewall that this one has, until the one that is wanted was tried. */
  withRulesOf(persisted: string): string
  /** The config that a node has, with the firewall that is wanted. */
  withRulesIn(active: string): string
  /** What is tried of a firewall is not what is on disk. */
  hasOtherRules(active: string, persisted: string): boolean
  /** Images of Kubernetes that it is to have; `config` has those that it keeps until their own step. */
  readonly images: KubernetesImages
  /** What it is written from, but for the secrets and the endpoint: for consent. */
  readonly inputs: unknown
  /** How it differs from the config that a node of that Talos version runs with. */
  differenceFrom(active: string, talosVersion: string): ConfigDifference
  /** Made when it is needed: a fleet of them would fill the memory. */
  seedIso(): Uint8Array
}

export interface ConfigDifference {
  /** `machine.sysctls.vm.max_map_count`, `VolumeConfig EPHEMERAL`: never a value, which may be a secret. */
  readonly fields: readonly string[]
  readonly needsReboot: boolean
  /** Documents of the firewall, which is changed on its own: only tried, until it is seen to cut nobody off. */
  readonly rules: readonly string[]
  /** The encryption of the system's own volumes: Talos encrypts what it makes, never what is there. */
  readonly isEncryption: boolean
}

/** What the factory must have heard of before a node can pull its installer. */
export interface Installer {
  readonly schematic: Schematic
  readonly talosVersion: string
}

/** A VM that is not a node and is made once. */
export interface DesiredGuest extends VmRef {
  readonly name: string
  readonly options: VmOptions
  /** Proxmox starts it once it is created. */
  readonly start: boolean
  /** Its installation medium, which somebody has put there. */
  readonly iso?: string
}

/** A Talos image that must be on a storage of a host before machines there can boot from it. */
export interface DesiredImage {
  readonly key: string
  readonly host: string
  readonly datastore: string
  /** A shared storage needs it once. */
  readonly isShared: boolean
  readonly content: 'import' | 'iso'
  readonly filename: string
  readonly schematicId: string
  readonly origin: ImageOrigin
}

/** Where an image comes from. */
export type ImageOrigin =
  | FactoryOrigin
  /** A file on this computer, for sites without a factory. */
  | { readonly kind: 'file'; readonly path: string }
  /** The user has put it there. */
  | { readonly kind: 'there' }

export interface FactoryOrigin {
  readonly kind: 'factory'
  readonly url: string
  readonly talosVersion: string
  /** Registered before the download; absent where the inventory names a ready one. */
  readonly schematic?: Schematic
  readonly checksum?: { readonly algorithm: 'sha256' | 'sha512'; readonly value: string }
}
