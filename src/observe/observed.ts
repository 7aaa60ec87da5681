import type { AddonState } from '../addons/installed-addons.js'
import type { VmRef } from '../cluster/machine.js'
import type { Recovery } from '../cluster/recovery.js'
import type { RotationState } from '../cluster/rotation.js'
import type { Seen } from '../cluster/seen.js'
import type { DeprecatedApi, InstalledChart, NodeInfo } from '../kubernetes/port.js'
import type { Mark } from '../ownership/mark.js'
import type {
  BackupJob,
  Bridge,
  GuestResource,
  HighAvailability,
  HostResource,
  PciMapping,
  ProxmoxVersion,
  StorageResource,
  Volume,
} from '../proxmox/client/port.js'
import type { EtcdMember } from '../talos/api/port.js'

/** What is: a plain value, asked of Proxmox, Talos, etcd and Kubernetes at one time. */
export interface Observed {
  readonly proxmox: ObservedProxmox
  /** VMs that are proven to be ours. */
  readonly machines: readonly ObservedMachine[]
  /** Templates that are proven to be ours. */
  readonly templates: readonly ObservedTemplate[]
  /** VMs that look like ours and are not proven: copies, lost marks, foreign VMs under a wanted VMID. Never touched. */
  readonly unverified: readonly UnverifiedVm[]
  /** Seen as `undefined`: every control plane that there is was asked, and none has etcd. */
  readonly etcd: Seen<ObservedEtcd | undefined>
  /** Seen as `undefined`: there is no etcd, so there is no Kubernetes. */
  readonly kubernetes: Seen<ObservedKubernetes | undefined>
  readonly secrets: ObservedSecrets
  /** Talos releases that the factory has; asked only where the way to what is wanted goes through some. */
  readonly releases?: Seen<readonly string[]>
  /** Who has addresses already; asked where machines are yet to be made, or a VIP is new. */
  readonly taken: readonly TakenAddress[]
}

export interface TakenAddress {
  readonly address: string
  /** For people: `VM 104 (db-1) on pve2`, `something that answers on port 6443`. */
  readonly owner: string
}

export interface ObservedProxmox {
  readonly version: ProxmoxVersion
  /** `false`: its cluster has lost its quorum and accepts no changes. */
  readonly quorate?: boolean
  readonly hosts: readonly HostResource[]
  readonly guests: readonly ObservedGuest[]
  /** Asked only where machines are yet to be made. */
  readonly hidden?: readonly HiddenVmid[]
  readonly storages: readonly StorageResource[]
  readonly pciMappings: readonly PciMapping[]
  /** Hosts whose VMs are listed and could not be read: what is there is unknown, not absent. */
  readonly unreadHosts: readonly { readonly host: string; readonly why: string }[]
  /** VMIDs that runs of ours were about to claim. */
  readonly intent: readonly number[]
  /** Hosts that machines go back to whose VM a run has deleted, by name. */
  readonly homes?: Readonly<Record<string, string>>
  /** Images and seeds; asked only of storages where they can matter to the machines that were seen. */
  readonly contents: readonly StorageContent[]
  /** The pool that ichor made for the cluster; one that somebody else made is not ours to remove. */
  readonly poolExists: boolean
  /** Of a host whose bridge reports the network; asked only when the inventory gives none. */
  readonly bridges: readonly (Bridge & { readonly host: string })[]
  /** What Proxmox backs up by itself, whoever's. */
  readonly backupJobs?: Seen<readonly BackupJob[]>
  /** Asked where VMs have rules of ours, or are to have some. */
  readonly firewall?: Seen<ObservedFirewall>
  /** What Proxmox HA looks after, whoever's; asked where the inventory wants it or a machine of the pool is in it. */
  readonly ha?: Seen<HighAvailability>
}

/** The firewall of the datacentre, whoever's. */
export interface ObservedFirewall {
  /** Unless it is, rules of VMs do nothing. */
  readonly isOn: boolean
  readonly groups: readonly { readonly name: string; readonly comment: string }[]
  readonly ipsets: readonly { readonly name: string; readonly comment: string }[]
  /** Asked where the inventory wants the firewall of hosts, or ichor has set it. */
  readonly hosts?: ObservedHostFirewall
}

/** What ichor has done to the firewall of the datacentre, and what it would do to others. */
export interface ObservedHostFirewall {
  readonly state: 'none' | 'ready' | 'tried' | 'enabled'
  /** Members of the IP set `management`. */
  readonly managers: readonly { readonly cidr: string; readonly comment?: string }[]
  /** Members of the IP set of hosts. */
  readonly members: readonly string[]
  /** Addresses that the hosts have now. */
  readonly addresses: readonly string[]
  readonly hasRule: boolean
  /** VMs of others that are filtered as soon as the firewall is on; asked while it is off. */
  readonly foreign: readonly { readonly vmid: number; readonly name?: string }[]
  /** Guests of others whose settings could not be read. */
  readonly unread: readonly number[]
}

/** What lies on one storage of a host. */
export interface StorageContent {
  readonly host: string
  readonly storage: string
  readonly content: 'iso' | 'import'
  readonly volumes: Seen<readonly Volume[]>
}

/** A VMID that belongs to a guest which the token does not see. */
export interface HiddenVmid {
  readonly vmid: number
  /** The machine that would have it otherwise. */
  readonly machine?: string
}

export interface ObservedGuest extends GuestResource {
  /** It starts with its host; asked only where new machines would need the space. */
  readonly onboot?: boolean
}

export interface ObservedMachine extends VmRef {
  readonly name: string
  readonly mark: Mark
  /** Its mark has a seal; marks from before there were seals get one. */
  readonly isSealed: boolean
  readonly options: Readonly<Record<string, string>>
  readonly status: 'running' | 'stopped'
  /** Of its config, which does not lag behind as lists do. */
  readonly lock?: string
  /** The Proxmox pool that it is in. */
  readonly pool?: string
  /** Keys whose new value waits for a cold start. */
  readonly pending: readonly string[]
  /** What a running VM has for them until then. */
  readonly running?: Readonly<Record<string, string>>
  /** Where its API is looked for: static, or reported by the guest agent. */
  readonly address?: string
  readonly talos: ObservedTalos
  /** Why Proxmox cannot move it off its host, in sentences; asked where that is evacuated, and of one that goes back to another. */
  readonly stuck?: readonly string[]
  /** Its rules in Proxmox; asked with the firewall of the datacentre. */
  readonly rules?: Seen<ObservedRules>
  /** Its Kubernetes node, matched by system UUID. */
  readonly node?: NodeInfo
}

/** What the firewall of a VM does. */
export interface ObservedRules {
  readonly options: Readonly<Record<string, string>>
  /** Security groups that are switched on, in their order. */
  readonly groups: readonly string[]
}

export interface ObservedTemplate extends VmRef {
  readonly name: string
  readonly mark: Mark
  readonly isSealed: boolean
  /** Turned into a template; until then it is still being made. */
  readonly isReady: boolean
}

export type ObservedTalos =
  | { readonly reach: 'off' }
  /** `elsewhere`: it answers at another address than in the inventory. */
  | {
      readonly reach: 'silent'
      readonly reason: string
      readonly elsewhere?: string
      /** QEMU has stopped the processors of the VM: `internal-error`, `io-error`, `paused`. */
      readonly halted?: string
    }
  | { readonly reach: 'maintenance' }
  | {
      readonly reach: 'secured'
      readonly version: string
      readonly stage: string
      readonly ready: boolean
      readonly unmet: readonly string[]
      /** Why its etcd does not run, in its own words. */
      readonly etcdProblem?: string
      /** State of the service, where the control plane shows no member. */
      readonly etcdState?: string
      /** The config on its disk, where it may run with one that is only tried. */
      readonly persisted?: Seen<string>
      /** Of the image that it runs, where a factory made it. */
      readonly schematic?: Seen<string | undefined>
      /** Text of the active config; holds secrets, so it is compared and never shown. */
      readonly config: Seen<string>
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
  /** `away`: most likely a machine of ours, on a host that does not answer. `unread`: on such a host, and not even that. */
  readonly because: NotVerified
  /** The pool that it is in. */
  readonly pool?: string
  /** The wanted machine whose UUID or MAC it has: while it is there, no other VM is made with them. */
  readonly holds?: string
  /** It holds a machine of ours, and perhaps another one than it is taken for. */
  readonly isGuess?: boolean
  /** It could not be read, and is most likely a template of ours. */
  readonly mayBeTemplate?: boolean
  /** A sentence for people. */
  readonly text: string
}

export interface ObservedEtcd {
  readonly members: readonly EtcdMember[]
  /** Ids of members that answered, vote and know a leader. */
  readonly healthy: readonly string[]
  readonly leader?: string
  /** The machine of each member that answered, by member id, in the machine's own words. */
  readonly owners: Readonly<Record<string, string>>
}

export interface ObservedKubernetes {
  readonly version: string
  /** APIs that are in use and will go, of all API servers together; asked only where another minor version is wanted. */
  readonly deprecated?: Seen<readonly DeprecatedApi[]>
  /** Charts that say which Kubernetes they support; asked only then, too. */
  readonly charts?: Seen<readonly InstalledChart[]>
  /** What its DaemonSet runs; `undefined` where there is none. */
  readonly proxyImage?: string
  readonly nodes: readonly NodeInfo[]
  readonly addons: readonly ObservedAddon[]
}

export type ObservedAddon = AddonState

export interface ObservedSecrets {
  readonly present: boolean
  /** Set before etcd was bootstrapped for the first time. */
  readonly bootstrapped: boolean
  /** Distinguishes clusters in marks; `undefined` without secrets. */
  readonly clusterId?: string
  /** Every mark was sealed once: one without a seal is broken. */
  readonly sealed: boolean
  /** The last restore of etcd. */
  readonly recovery?: Recovery
  /** The last rotation of a key. */
  readonly rotation?: RotationState
}
