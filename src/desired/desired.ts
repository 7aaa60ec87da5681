import type { PlannedAddon } from '../addons/planned-addon.js'
import type { Cidr } from '../cluster/address.js'
import type { ClusterKey } from '../cluster/cluster-key.js'
import type { KubernetesImages } from '../cluster/config-images.js'
import type { Identity, Machine, Role, VmRef } from '../cluster/machine.js'
import type { Protected } from '../cluster/protection.js'
import type { Hop, NoWay } from '../cluster/upgrade-path.js'
import type { Change } from '../events/plan-view.js'
import type { KeyRecord } from '../ownership/key-record.js'
import type { Sealer } from '../ownership/seal.js'
import type { BackupJob, HighAvailability, VmOptions } from '../proxmox/client/port.js'
import type { Disk } from '../proxmox/model/options/disk.js'
import type { Schematic } from '../talos/image/schematic.js'
import type { RunIntent } from './run-intent.js'

/** The resolved desired state: the host of each machine, its VM options and its config. */
export interface Desired {
  readonly cluster: DesiredCluster
  /** Machines that can be changed. */
  readonly machines: readonly DesiredMachine[]
  /** Machines on hosts that do not respond: wanted, but left unchanged. */
  readonly away: readonly DesiredAway[]
  /** Hosts of the inventory that are offline. */
  readonly offlineHosts?: readonly string[]
  readonly guestsToMake: readonly DesiredGuest[]
  readonly images: readonly DesiredImage[]
  readonly templates: readonly DesiredTemplate[]
  readonly addons: readonly PlannedAddon[]
  /** The backup job in Proxmox. */
  readonly backupJob?: BackupJob
  /** The HA configuration in Proxmox. */
  readonly highAvailability?: HighAvailability
  /** Proxmox firewall rules on the VMs. */
  readonly vmFirewall?: DesiredVmFirewall
  /** The datacenter firewall is on, and hosts are administered only from these networks. */
  readonly hostFirewall?: DesiredHostFirewall
  /** Whose order at host start differs from the inventory, and may not be set by this token. */
  readonly unsetStartup?: DesiredStartup
  /** Content types to enable on storages first. */
  readonly contentToEnable: readonly { readonly storage: string; readonly content: string }[]
}

export interface DesiredStartup {
  /** By name. */
  readonly machines: readonly string[]
  readonly guests: readonly (VmRef & { readonly name: string; readonly startup: string })[]
}

export interface DesiredCluster {
  readonly name: string
  /** Hash of the secret cluster ID, as stored in marks; `undefined` until the secrets exist. */
  readonly id?: string
  /** Seals marks with the cluster secrets; `undefined` until they exist. */
  readonly sealer?: Sealer
  /** The number of the lease of this run, once it has one. */
  readonly lease?: number
  /** Which keys the secrets hold, as recorded in the marks of the control planes. */
  readonly keys?: KeyRecord
  /** Proxmox pool of its machines; leases are its children. */
  readonly pool: string
  readonly tags: readonly string[]
  /** `https://10.0.10.10:6443`; `undefined` until DHCP has assigned the first control plane's address. */
  readonly endpoint?: string
  /** The target of this round, which may be an intermediate version on the way to the inventory's. */
  readonly talosVersion: string
  readonly kubernetesVersion: string
  /** The versions in the inventory. */
  readonly target: { readonly talos: string; readonly kubernetes: string }
  /** Control planes take ordinary pods. */
  readonly controlPlanesTakePods?: boolean
  /** The version change of this round. */
  readonly hop?: Hop
  /** The versions in the inventory cannot be reached from the running ones. */
  readonly noWay?: NoWay
  /** The version contract of the configs, fixed when the cluster is created: `v1.13`. */
  readonly contract: string
  /** Where its secrets are created: `sops`, `plain`, or `vault://mount/path`. */
  readonly secretsHome?: string
  readonly boot: 'image' | 'iso' | 'template'
  /** The image of Secure Boot does not enrol its keys. */
  readonly imageLacksKeys?: boolean
  readonly delivery: 'cidata' | 'apply'
  /** Clones do not depend on their template. */
  readonly fullClones: boolean
  /** Where etcd is bootstrapped: always the control plane with the lowest name. */
  readonly bootstrapMachine: string
  /** Talos or an addon provides a network: nodes can become Ready. */
  readonly hasNetwork: boolean
  readonly intent: RunIntent
  /** Everything is to be switched off. */
  readonly shutdown?: DesiredShutdown
  /** etcd is to be restored from a snapshot, and is not yet. */
  readonly restore?: DesiredRestore
  /** Machines that are never deleted. */
  readonly protect?: Protected
  /** How machines are drained, restarted and replaced, one after another. */
  readonly roll?: DesiredRoll
  /** Where snapshots of etcd are stored before risky changes. */
  readonly snapshots?: DesiredSnapshots
  /** How many machines of a worker pool may be unavailable at once; 1 by default. */
  readonly maxUnavailable?: Readonly<Record<string, number>>
  /** How many machines a worker pool may have beyond its size; 0 by default. */
  readonly surge?: Readonly<Record<string, number>>
  /** Evacuated hosts. */
  readonly evacuated?: readonly string[]
  /** Mirror of helm's image, instead of the public registry. */
  readonly imageMirror?: string
  /** How long the firewall of a node is tested before it is kept. */
  readonly firewallTrialMs?: number
  /** TCP ports of the machines of a role that nodes must reach; only with a firewall. */
  readonly nodePorts?: Readonly<Record<Role, readonly number[]>>
  /** Nodes that the inventory leaves to others, by name. */
  readonly unmanaged?: readonly string[]
  /** The networks that its rules take for nodes; only with a firewall. */
  readonly nodeNetworks?: readonly Cidr[]
  /** How far `up` goes. */
  readonly until: 'vms' | 'bootstrap' | 'addons' | 'healthy'
}

/** One security group per role. */
export interface DesiredVmFirewall {
  readonly groups: Readonly<Record<Role, DesiredGroup>>
  /** How long the rules of a VM are tested before they are kept. */
  readonly trialMs: number
}

export interface DesiredHostFirewall {
  /** Marks its owner. */
  readonly comment: string
  readonly admins: readonly string[]
  /** How long it is tested before it is kept. */
  readonly trialMs: number
}

/** A Proxmox security group, its IP sets, and the default policy of a VM that uses it. */
export interface DesiredGroup {
  /** Another policy has another name. */
  readonly name: string
  /** Marks its owner. */
  readonly comment: string
  /** The policy that it is made from: consent covers this, not the name. */
  readonly policy: unknown
  readonly ipsets: readonly { readonly name: string; readonly entries: readonly string[] }[]
  /** In order. */
  readonly rules: readonly {
    readonly action: 'ACCEPT' | 'DROP'
    readonly match: Readonly<Record<string, string>>
  }[]
  readonly policyIn: 'ACCEPT' | 'DROP'
}

export interface DesiredRoll {
  readonly drainTimeoutMs: number
  /** After the timeout, pods that a PodDisruptionBudget protects are deleted. */
  readonly ignoresBudgets: boolean
  /** The user's checks, which must pass after each machine. */
  readonly checks: readonly RollCheck[]
  /** The user's commands before each machine is drained, and after it is back. */
  readonly hooks: Readonly<Record<'before' | 'after', readonly RollCommand[]>>
  readonly checkTimeoutMs: number
}

export interface RollCommand {
  readonly command: readonly string[]
}

export type RollCheck = RollCommand | { readonly url: string } | RollObject

/** A field of one object in Kubernetes, or of all of a kind, and the values that pass. */
export interface RollObject {
  readonly object: {
    readonly apiVersion: string
    readonly kind: string
    readonly namespace?: string
    readonly name?: string
  }
  readonly path: string
  readonly equals: readonly (string | number | boolean)[]
}

export interface DesiredSnapshots {
  /** A folder beside the inventory, or `s3://bucket/prefix`. */
  readonly store: string
  /** Of the S3 service. */
  readonly endpoint?: string
  readonly region?: string
  /** References to the credentials, never the credentials. */
  readonly credentials?: unknown
  /** Who can decrypt the data of etcd. */
  readonly recipients: readonly string[]
  /** Who can decrypt the cluster secrets beside it. */
  readonly secretsFor: readonly string[]
}

/** How a cluster is switched off. */
export interface DesiredShutdown {
  readonly takesSnapshot: boolean
  /** Guests that go off after the machines. */
  readonly guests: readonly { readonly name: string; readonly vmid?: number }[]
}

/** An unfinished restore. */
export interface DesiredRestore {
  /** Name of the snapshot; `sha256:…` for a file that ichor did not write. */
  readonly snapshot: string
  /** The run that requests it: a restore that another run finished is not this one. */
  readonly run: string
  /** A raw copy of the database has no hash at its end. */
  readonly skipHashCheck: boolean
  /** Unreachable control planes, and the data of their etcd, are given up. */
  readonly mayBeGone: boolean
  /** A healthy etcd may be replaced. */
  readonly overHealthy: boolean
  /** Members of etcd when the snapshot was taken. */
  readonly members: readonly { readonly name: string; readonly addresses: readonly string[] }[]
  /**
   * `10.0.10.10:50000`: endpoints that the machine of a drill must not reach, verified by its own probes before etcd is
   * recovered on it.
   */
  readonly mustNotReach?: readonly string[]
}

export interface DesiredMachine extends VmRef {
  readonly machine: Machine
  /**
   * The host that it moves to: its own is evacuated, or it returns. Until then everything else applies to its current
   * host.
   */
  readonly moveTo?: string
  /** The host that it left because of an evacuation, and returns to. */
  readonly home?: string
  /** Key of its image in `Desired.images`. */
  readonly image: string
  /** Name of the template that it is cloned from. */
  readonly template?: string
  /** Options of the VM, without its disks, medium and mark. */
  readonly options: VmOptions
  readonly disks: readonly DesiredDisk[]
  readonly efi?: { readonly datastore: string }
  readonly tpm?: { readonly datastore: string }
  /** Where its config is until it has read it. */
  readonly seed: DesiredSeed
  /** CD drives that it has from creation on. */
  readonly drives: { readonly install?: string; readonly seed?: string }
  readonly hasAgent: boolean
  /** Static, or reserved by MAC; `undefined` if only the guest agent knows it. */
  readonly address?: string
  /** Hash of the spec for the mark. */
  readonly spec: string
  /** `undefined` until the secrets exist. */
  readonly talos?: DesiredTalos
  /** The input of its config, without the secrets and the endpoint: for consent. */
  configInputs(): unknown
  /** Its installer image, also for upgrades. */
  readonly installer: DesiredInstaller
  /** Labels and taints that only an admin client may set on the node. */
  readonly node: { readonly labels: Readonly<Record<string, string>>; readonly taints: Machine['taints'] }
}

/**
 * A disk of the VM, which only its owner can read, made from an upload that is deleted at once; or, if Proxmox or its
 * storages cannot import images, an ISO in a drive.
 */
export interface DesiredSeed {
  readonly kind: 'disk' | 'iso'
  /** Where it is uploaded to. */
  readonly storage: string
  readonly slot: string
}

/** A Talos version with its extensions and kernel arguments. */
export interface DesiredInstaller {
  /** The container image. */
  readonly image: string
  readonly version: string
  /** ID of its schematic. */
  readonly id: string
  /** The running schematic must match; a machine created from the user's own image has another. */
  readonly isCompared: boolean
  /** Registered before the first pull; absent if the inventory names a ready one. */
  readonly schematic?: Schematic
}

/** A wanted machine whose VM cannot be read. */
export interface DesiredAway extends VmRef {
  readonly machine: Machine
  /** Why it is not taken over; without it, its host does not respond. */
  readonly doubt?: string
}

/** A VM that is never started and that machines are cloned from. */
export interface DesiredTemplate extends VmRef {
  readonly name: string
  readonly role: Role
  readonly identity: Identity
  readonly image: string
  readonly options: VmOptions
  readonly disk: DesiredDisk
  /** CD drives of its clones. */
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
  /** The first config of a machine: its firewall is tested later, when it runs and is reachable. */
  readonly firstConfig: string
  /** The config with the firewall of this one, until the wanted one is tested. */
  withRulesOf(persisted: string): string
  /** The config of a node with the wanted firewall. */
  withRulesIn(active: string): string
  /** A firewall under test, or probes that test one, differ from what is on disk. */
  hasOtherRules(active: string, persisted: string): boolean
  /** Its wanted Kubernetes images; `config` has the current ones until their own step. */
  readonly images: KubernetesImages
  /** How it differs from the active config of a node with that Talos version. */
  differenceFrom(active: string, talosVersion: string): ConfigDifference
  /** Keys that a node with this active config uses, and that the secrets do not know. */
  foreignKeysIn(active: string): readonly ClusterKey[]
  /** Created on demand: a whole fleet would fill the memory. */
  seedIso(): Uint8Array
}

export interface ConfigDifference {
  /** `machine.sysctls.vm.max_map_count`, `VolumeConfig EPHEMERAL`: never a value, which may be a secret. */
  readonly fields: readonly string[]
  /** The same for people, with old and new values that are not secret. */
  readonly sentences: readonly string[]
  /** Old and new values, with secrets masked and long texts only counted. */
  readonly values: readonly Change[]
  readonly needsReboot: boolean
  /** Firewall documents, which change separately: only under test, until verified to cut nothing off. */
  readonly rules: readonly string[]
  readonly ruleValues: readonly Change[]
  /** The encryption of the system volumes: Talos encrypts only volumes that it creates. */
  readonly isEncryption: boolean
}

/** What must be registered with the factory before a node can pull its installer. */
export interface Installer {
  readonly schematic: Schematic
  readonly talosVersion: string
}

/** A VM that is not a node and is created once. */
export interface DesiredGuest extends VmRef {
  readonly name: string
  readonly options: VmOptions
  /** Proxmox starts it after creation. */
  readonly start: boolean
  /** Its installation medium, which the user provides. */
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

/** The source of an image. */
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
  /** Registered before the download; absent if the inventory names a ready one. */
  readonly schematic?: Schematic
  readonly checksum?: { readonly algorithm: 'sha256' | 'sha512'; readonly value: string }
}
