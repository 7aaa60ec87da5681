import type { Finding, Unknown } from '../findings/finding.js'

/** One look at a cluster as plain data: what the page shows. Times are ISO 8601, sizes bytes; never a secret. */
export interface Snapshot {
  readonly version: 1
  readonly cluster: string
  /** When the look began, and how long it took. */
  readonly at: string
  readonly took_ms: number
  readonly is_lab: boolean
  readonly verdict: VerdictView
  readonly sources: readonly { readonly name: string; readonly is_seen: boolean; readonly why: string | null }[]
  readonly endpoint: string | null
  readonly api: Part<ApiView>
  readonly versions: VersionsView
  /** What `ichor watch` has written down on this computer; `null` without it. */
  readonly watch: WatchView | null
  readonly talos_version: string
  readonly kubernetes_version: string
  readonly proxmox_version: string
  readonly hosts: readonly HostView[]
  readonly machines: readonly MachineView[]
  readonly etcd: Part<EtcdView>
  readonly addons: Part<readonly AddonView[]>
  readonly backup: Part<{ readonly newest: string | null; readonly drilled: string | null }>
  readonly expiries: readonly { readonly name: string; readonly expires: string; readonly soon: boolean }[]
  /** Those that explain others come with them. */
  readonly findings: readonly { readonly finding: Finding; readonly effects: readonly Finding[] }[]
  readonly unknown: readonly Unknown[]
  readonly drift: readonly string[]
  /** A version change in progress. */
  readonly roll: { readonly kind: string; readonly from: string; readonly to: string; readonly left: number } | null
  readonly losses: readonly LossView[]
}

/** A part that may be away: then what it was when it was last seen, since when, and why it is away now. */
export interface Part<T> {
  readonly value: T | null
  /** When the value was seen. */
  readonly at: string | null
  /** Why it is not seen now. */
  readonly why: string | null
}

export interface VerdictView {
  readonly word: string
  readonly level: Level
  /** The problems, each with what to do. */
  readonly problems: readonly { readonly text: string; readonly fix: string }[]
}

export type Level = 'well' | 'warns' | 'blocks' | 'unseen'

export interface HostView {
  readonly name: string
  readonly online: boolean
  readonly maintenance: boolean
  /** When its numbers were seen: earlier than the look if it is offline. */
  readonly at: string | null
  /** Of Proxmox VE. */
  readonly proxmox_version: string | null
  readonly cpus: number | null
  readonly memory: number | null
  readonly memory_used: number | null
  /** Of all its CPUs, from 0 to 1. */
  readonly cpu_ratio: number | null
  /** Kept free by the inventory. */
  readonly reserve: number
  /** Everything that has memory there, ours or not. */
  readonly blocks: readonly BlockView[]
  readonly storages: readonly StorageView[]
}

/** A VM or container on a host. */
export interface BlockView {
  readonly kind: 'machine' | 'guest' | 'foreign'
  readonly name: string
  readonly vmid: number | null
  readonly memory: number | null
  /** `foreign` and `guest`: as Proxmox reports it. */
  readonly state: string
}

export interface StorageView {
  readonly name: string
  readonly type: string
  readonly shared: boolean
  readonly total: number
  readonly used: number
  /** Of a thin pool: it fills on its own, and is full earlier. */
  readonly metadata_share: number | null
}

export interface MachineView {
  readonly name: string
  readonly role: string
  readonly host: string | null
  readonly vmid: number | null
  readonly address: string | null
  readonly ready: boolean
  readonly state: string
  readonly talos_version: string | null
  readonly kubernetes_version: string | null
  /** In use, as the kubelet measures it: what Proxmox reports of a VM is near its size. */
  readonly memory_used: number | null
  readonly problems: readonly { readonly text: string; readonly fix: string | null }[]
}

export interface ApiView {
  /** The address that moves between control planes; `null` if the inventory has none. */
  readonly vip: string | null
  /** The control plane that holds it; `null` if none was seen to. */
  readonly holder: string | null
  /** Of the API server that responded. */
  readonly version: string
  readonly servers: readonly { readonly name: string; readonly address: string | null; readonly ready: boolean }[]
}

export interface VersionsView {
  /** Every version that runs. */
  readonly talos: readonly string[]
  readonly kubernetes: readonly string[]
  readonly proxmox: readonly string[]
  /** Known problems of what runs. */
  readonly affected: readonly AdvisoryView[]
  readonly upgrades: readonly UpgradeView[]
}

export interface UpgradeView {
  readonly talos: string
  readonly kubernetes: string
  readonly command: string
  /** The first change of several, or why there is none. */
  readonly first: string
  /** Machines whose Talos changes. */
  readonly restarts: number
  readonly entered: readonly AdvisoryView[]
  readonly left: readonly AdvisoryView[]
}

export interface AdvisoryView {
  readonly id: string
  readonly title: string
  readonly effect: 'block' | 'warn'
  readonly way_out: string
  readonly source: readonly string[]
}

export interface WatchView {
  /** When it last saw the whole cluster. */
  readonly seen_at: string | null
  readonly pending: { readonly since: string; readonly steps: number | null; readonly digest: string } | null
  /** Whether it applies approved plans, and when. */
  readonly applies: boolean
  /** When the window that is open now ends; `null` if none is open, or if it is always open. */
  readonly open_until: string | null
  /** When the next window begins; `null` without windows. */
  readonly opens: string | null
  /** Why it could not look, or did not apply an approved plan. */
  readonly problem: string | null
}

export interface EtcdView {
  readonly members: readonly {
    readonly name: string
    readonly healthy: boolean
    readonly leader: boolean
    readonly learner: boolean
    readonly version: string | null
    readonly size: number | null
    readonly in_use: number | null
  }[]
  readonly healthy: boolean
}

export interface AddonView {
  readonly name: string
  readonly version: string
  readonly healthy: boolean
  readonly reason: string | null
}

/** What `capacity --live --lose HOST` reports. */
export interface LossView {
  readonly host: string
  readonly etcd: {
    readonly members: number
    readonly left: number
    readonly needed: number
    readonly survives: boolean
  }
  readonly api: { readonly survives: boolean; readonly reason: string }
  readonly pools: readonly {
    readonly name: string
    readonly machines: number
    readonly left: number
    readonly survives: boolean
  }[]
  readonly refit: {
    readonly fits: boolean | null
    readonly reason: string
    readonly moves?: readonly { readonly machine: string; readonly host: string }[]
  }
}
