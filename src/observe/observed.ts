import type { AddonState, UnfinishedAddon } from '../addons/installed-addons.js'
import type { VmRef } from '../cluster/machine.js'
import type { Recovery } from '../cluster/recovery.js'
import type { RotationState } from '../cluster/rotation.js'
import type { Seen } from '../cluster/seen.js'
import type { DeprecatedApi, InstalledChart, NodeInfo } from '../kubernetes/port.js'
import type { Mark } from '../ownership/mark.js'
import type {
  BackupJob,
  Bridge,
  FirewallRule,
  GuestResource,
  HighAvailability,
  HostResource,
  PciMapping,
  ProxmoxVersion,
  StorageResource,
  Volume,
} from '../proxmox/client/port.js'
import type { StorageSpace } from '../proxmox/model/free-space.js'
import type { EtcdMember } from '../talos/api/port.js'
import type { PodNetwork } from './pod-networks.js'

/** The current state as a plain value, read from Proxmox, Talos, etcd and Kubernetes at one time. */
export interface Observed {
  readonly proxmox: ObservedProxmox
  /** VMs that are proven to be ours. */
  readonly machines: readonly ObservedMachine[]
  /** Templates that are proven to be ours. */
  readonly templates: readonly ObservedTemplate[]
  /** VMs that look like ours without proof: copies, lost marks, foreign VMs with a wanted VMID. Never changed. */
  readonly unverified: readonly UnverifiedVm[]
  /** Seen as `undefined`: every existing control plane was queried, and none has etcd. */
  readonly etcd: Seen<ObservedEtcd | undefined>
  /** Seen as `undefined`: there is no etcd, so there is no Kubernetes. */
  readonly kubernetes: Seen<ObservedKubernetes | undefined>
  readonly secrets: ObservedSecrets
  /** Talos releases that the factory offers; queried only if the upgrade passes through some of them. */
  readonly releases?: Seen<readonly string[]>
  /** Owners of taken addresses; queried if machines do not exist yet or a VIP is new. */
  readonly taken: readonly TakenAddress[]
}

export interface TakenAddress {
  readonly address: string
  /** For people: `VM 104 (db-1) on pve2`, `something that answers on port 6443`. */
  readonly owner: string
}

export interface ObservedProxmox {
  readonly version: ProxmoxVersion
  /** `false`: the Proxmox cluster has lost its quorum and accepts no changes. */
  readonly quorate?: boolean
  readonly hosts: readonly HostResource[]
  readonly guests: readonly ObservedGuest[]
  /** Queried only if machines do not exist yet. */
  readonly hidden?: readonly HiddenVmid[]
  readonly storages: readonly ObservedStorage[]
  readonly pciMappings: readonly PciMapping[]
  /** Hosts whose VMs are listed and could not be read: what runs there is unknown, not absent. */
  readonly unreadHosts: readonly { readonly host: string; readonly why: string }[]
  /** VMIDs that our runs were about to claim. */
  readonly intent: readonly number[]
  /** Hosts that machines return to after a run deleted their VM, by machine name. */
  readonly homes?: Readonly<Record<string, string>>
  /** Numbers of leases whose runs may have left requests in marks: requests of others are not followed. */
  readonly unfinished?: readonly number[]
  /** Disks of our machines on hosts where the machines are not; queried only where a migration may have left them. */
  readonly strayVolumes?: readonly StrayVolume[]
  /** Where such disks may be and could not be looked for. */
  readonly unlistedStorages?: readonly UnlistedStorage[]
  /** Images and seeds; read only from storages where they can matter to the observed machines. */
  readonly contents: readonly StorageContent[]
  /** The pool that ichor created for the cluster. A pool that ichor did not create is never removed. */
  readonly poolExists: boolean
  /** Of a host whose bridge reports the network; queried only if the inventory has none. */
  readonly bridges: readonly (Bridge & { readonly host: string })[]
  /** All backup jobs in Proxmox, of any owner. */
  readonly backupJobs?: Seen<readonly BackupJob[]>
  /**
   * This token may write what needs Sys.Modify on `/`: backup jobs, the datacenter firewall, the order at host start.
   * Queried if the inventory uses these or they may be left; usually only the login of `ichor access` may.
   */
  readonly mayAdminister?: boolean
  /** Queried if VMs have or will have our rules. */
  readonly firewall?: Seen<ObservedFirewall>
  /** All Proxmox HA resources, of any owner; queried if the inventory uses HA or a machine of the pool is in it. */
  readonly ha?: Seen<HighAvailability>
}

/** `free` is queried where disks are made, grow or move, of storages that do not say it otherwise. */
export type ObservedStorage = StorageResource & StorageSpace

/** The datacenter firewall, of any owner. */
export interface ObservedFirewall {
  /** Rules on VMs have no effect while it is off. */
  readonly isOn: boolean
  readonly groups: readonly ObservedGroup[]
  readonly ipsets: readonly { readonly name: string; readonly comment: string }[]
  /** Queried if the inventory enables the host firewall, or ichor has set it. */
  readonly hosts?: ObservedHostFirewall
}

/** A security group of any owner. */
export interface ObservedGroup {
  readonly name: string
  readonly comment: string
  /** In their order; queried if it belongs to a cluster of this name. */
  readonly rules?: readonly FirewallRule[]
}

/** What ichor has changed in the datacenter firewall, and what it would change for others. */
export interface ObservedHostFirewall {
  readonly state: 'none' | 'ready' | 'tried' | 'enabled'
  /** Members of the IP set `management`. */
  readonly managers: readonly { readonly cidr: string; readonly comment?: string }[]
  /** Members of the IP set of hosts. */
  readonly members: readonly string[]
  /** Current addresses of the hosts. */
  readonly addresses: readonly string[]
  readonly hasRule: boolean
  /** VMs of others that are filtered once the firewall is on; queried while it is off. */
  readonly foreign: readonly { readonly vmid: number; readonly name?: string }[]
  /** Guests of others whose settings could not be read. */
  readonly unread: readonly number[]
}

/** The contents of one storage of a host. */
export interface StorageContent {
  readonly host: string
  readonly storage: string
  readonly content: 'iso' | 'import'
  readonly volumes: Seen<readonly Volume[]>
}

/** A VMID of a guest that the token cannot see. */
export interface HiddenVmid {
  readonly vmid: number
  /** The machine that would otherwise get it. */
  readonly machine?: string
}

export interface ObservedGuest extends GuestResource {
  /** It starts with its host; queried only if new machines would need the space. */
  readonly onboot?: boolean
}

export interface ObservedMachine extends VmRef {
  readonly name: string
  readonly mark: Mark
  /** Its mark has a seal. Marks from before seals existed get one. */
  readonly isSealed: boolean
  readonly options: Readonly<Record<string, string>>
  readonly status: 'running' | 'stopped'
  /** From its config, which does not lag behind as lists do. */
  readonly lock?: string
  /** The Proxmox pool that contains it. */
  readonly pool?: string
  /**
   * Something else made it, and it has no mark yet: its node has shown its UUID over a connection that the cluster's CA
   * vouches for. The mark here is the one that it would get.
   */
  readonly isToAdopt?: true
  /** Keys whose new value takes effect at a cold start. */
  readonly pending: readonly string[]
  /** The values that a running VM uses until then. */
  readonly running?: Readonly<Record<string, string>>
  /** The address of its API: static, or reported by the guest agent. */
  readonly address?: string
  readonly talos: ObservedTalos
  /**
   * Why Proxmox cannot move it off its host, in sentences; queried if the host is evacuated, or if it returns to
   * another one.
   */
  readonly stuck?: readonly string[]
  /** Its rules in Proxmox; queried with the datacenter firewall. */
  readonly rules?: Seen<ObservedRules>
  /** Its Kubernetes node, matched by system UUID. */
  readonly node?: NodeInfo
}

/** The firewall settings of a VM. */
export interface ObservedRules {
  readonly options: Readonly<Record<string, string>>
  /** Enabled security groups, in order. */
  readonly groups: readonly string[]
}

export interface ObservedTemplate extends VmRef {
  readonly name: string
  readonly mark: Mark
  readonly isSealed: boolean
  /** Converted to a template; until then it is still being created. */
  readonly isReady: boolean
  /** Proxmox does not delete it. Only a person protects a template. */
  readonly isProtected?: true
}

export type ObservedTalos =
  | { readonly reach: 'off' }
  /** `elsewhere`: it responds at an address other than the one in the inventory. */
  | {
      readonly reach: 'silent'
      readonly reason: string
      readonly elsewhere?: string
      /** Its certificate is signed by another CA than that of the secrets. */
      readonly isUntrusted?: true
      /** QEMU has paused the VM's processors: `internal-error`, `io-error`, `paused`. */
      readonly halted?: string
    }
  | { readonly reach: 'maintenance' }
  | {
      readonly reach: 'secured'
      readonly version: string
      readonly stage: string
      readonly ready: boolean
      readonly unmet: readonly string[]
      /** What the node reports as wrong besides that. */
      readonly problems?: readonly NodeProblem[]
      /** Why its etcd does not run, as Talos reports it. */
      readonly etcdProblem?: string
      /** Why its etcd ended, if it did not become healthy since: Talos starts it again for ever. */
      readonly etcdEnd?: string
      /** State of the service, if the control plane shows no member. */
      readonly etcdState?: string
      /** The config on its disk, if it may be running one under test. */
      readonly persisted?: Seen<string>
      /** Of the image that it runs, if a factory built it. */
      readonly schematic?: Seen<string | undefined>
      /** Of that image, by name; missing if they were not seen. */
      readonly extensions?: readonly string[]
      /** Text of the active config; contains secrets, so it is compared and never shown. */
      readonly config: Seen<string>
    }

/** A node runs, and something of it does not fit. */
export interface NodeProblem {
  readonly kind: 'volume' | 'secure-boot'
  readonly text: string
  readonly fix: string
}

type NotVerified =
  | 'copy'
  | 'mark-lost'
  | 'other-cluster'
  | 'other-pool'
  | 'stub'
  | 'foreign'
  | 'no-secrets'
  | 'away'
  | 'unread'

export interface UnverifiedVm extends VmRef {
  readonly name?: string
  /**
   * `away`: most likely a machine of ours, on a host that does not respond. `unread`: on such a host, and of unknown
   * origin.
   */
  readonly because: NotVerified
  /** The pool that contains it. */
  readonly pool?: string
  /** The wanted machine whose UUID or MAC it has: while it exists, no other VM is created with them. */
  readonly holds?: string
  /** It has the identity of a machine of ours, perhaps not the one assumed. */
  readonly isGuess?: boolean
  /** It has the identity of that machine, and no mark at all: its node can prove that it is the machine. */
  readonly isUnmarked?: true
  /** Why it is not taken over as the adopted machine that it holds: its host responds. */
  readonly doubt?: string
  /** It does not run, so it may be a leftover. A running VM may be a node of its owner. */
  readonly isOff?: boolean
  /** It could not be read, and is most likely a template of ours. */
  readonly mayBeTemplate?: boolean
  /** A sentence for users. */
  readonly text: string
}

export interface ObservedEtcd {
  readonly members: readonly EtcdMember[]
  /** IDs of members that respond, vote and know a leader. */
  readonly healthy: readonly string[]
  readonly leader?: string
  /** The machine of each member that responded, by member ID, as the machine reports it. */
  readonly owners: Readonly<Record<string, string>>
}

export interface ObservedKubernetes {
  readonly version: string
  /** Deprecated APIs in use, from all API servers; queried only if another minor version is wanted. */
  readonly deprecated?: Seen<readonly DeprecatedApi[]>
  /** Charts that declare supported Kubernetes versions; queried only if another minor version is wanted. */
  readonly charts?: Seen<readonly InstalledChart[]>
  /** The image of its DaemonSet; `undefined` if there is none. */
  readonly proxyImage?: string
  /** Providers of the pod network that are installed. */
  readonly podNetworks?: readonly PodNetwork[]
  readonly nodes: readonly NodeInfo[]
  readonly addons: readonly ObservedAddon[]
  /** Their installation failed or was interrupted. */
  readonly unfinishedAddons?: readonly UnfinishedAddon[]
}

export type ObservedAddon = AddonState

export interface ObservedSecrets {
  readonly present: boolean
  /** For messages: a path or an address. */
  readonly location?: string
  /** Set before etcd was bootstrapped for the first time. */
  readonly bootstrapped: boolean
  /** Distinguishes clusters in marks; `undefined` without secrets. */
  readonly clusterId?: string
  /** All marks have been sealed: a mark without a seal is invalid. */
  readonly sealed: boolean
  /** The last restore of etcd. */
  readonly recovery?: Recovery
  /** The last rotation of a key. */
  readonly rotation?: RotationState
}

/** A disk under the VMID of a machine, on a host where the machine is not. */
export interface StrayVolume {
  readonly host: string
  readonly volid: string
  /** Bytes. */
  readonly size: number
  readonly machine: string
}

export interface UnlistedStorage {
  readonly host: string
  readonly storage: string
  readonly why: string
}
