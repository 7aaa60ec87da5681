import type { DiskContent } from '../guest.js'

/** Everything that Proxmox remembers: plain values, so that a lab can be saved and go on later. */
export interface DatacentreState {
  readonly clusterName: string
  /** Whether a part of the hosts has the majority of the votes: see `countVotes`. */
  quorate: boolean
  readonly quorumDevice?: boolean
  /** Somebody ordered it, regardless of the votes. */
  quorumIsLost?: boolean
  readonly hosts: Record<string, HostState>
  storages: Record<string, StorageState>
  /** By volume id, and for storages that are not shared by host too: see `volumeKey`. */
  volumes: Record<string, VolumeState>
  vms: Record<string, VmState>
  tasks: TaskState[]
  /** The last ones that succeeded. */
  logins?: LoginState[]
  pools: Record<string, PoolState>
  access: AccessState
  options: Record<string, string>
  firewall: Record<string, FirewallState>
  sections: Record<string, Record<string, Section>>
  /** Names that resolve but are no hosts of the cluster: what connecting to them ends with. */
  unknownHosts?: Record<string, string>
  /** Free bytes that `fillStorage` left, by host and storage. */
  filled: Record<string, number>
  /** What the HA manager knows, from its first round on. */
  ha?: HaState
}

/** The status file of the HA manager. */
export interface HaState {
  readonly nodes: Record<string, HaNodeState>
  /** By resource id: `vm:100`. */
  readonly services: Record<string, HaServiceState>
}

export interface HaNodeState {
  state: 'online' | 'unknown' | 'fence'
  /** Model time since when it has not been heard of. */
  silentSince?: number
}

export interface HaServiceState {
  state: string
  node: string
  target?: string
  /** Seen running since it was last asked to start. */
  running: boolean
  /** What somebody asked for: `migrate` and a host, `stop` and seconds. */
  command?: readonly [string, string]
  /** How the last thing that a host was asked to do ended. */
  result?: 'ok' | 'failed'
  /** Starts that failed in a row on this host. */
  tries: number
  failedNodes: string[]
}

/** An entry of a configuration file made of sections: HA resources, backup jobs, mappings, zones. */
export interface Section {
  type: string
  [key: string]: string | readonly string[]
}

export interface HostState {
  readonly name: string
  readonly nodeid: number
  readonly address: string
  online: boolean
  readonly cpus: number
  readonly memory: number
  readonly rootTotal: number
  bootedAt: number
  readonly interfaces: Record<string, Record<string, string | number>>
  readonly pci: readonly string[]
  nextPid: number
  description: Record<string, string>
}

export interface StorageState {
  readonly id: string
  readonly type: string
  total: number
  /** The options as `storage.cfg` has them: `content`, `nodes`, `disable`, `path` … */
  options: Record<string, string>
}

export interface VolumeState {
  readonly volid: string
  readonly storage: string
  /** Empty for shared storages. */
  readonly host: string
  readonly content: string
  format: string
  /** Bytes as the API reports them. */
  size: number
  /** Bytes that it takes on the storage. */
  used: number
  ctime: number
  readonly vmid?: number
  parent?: string
  notes?: string
  protected?: boolean
  /** What a file contains; disks have `disk`. */
  bytes?: Uint8Array
  disk: DiskContent
}

export interface VmState {
  readonly vmid: number
  host: string
  config: Record<string, string>
  pending: Record<string, string>
  pendingDelete: Record<string, 1 | 2>
  snapshots: Record<string, SnapshotState>
  running: boolean
  paused: boolean
  pid: number
  startedAt: number
  stoppedAt?: number
  /** What it was started with: pending changes do not touch it. */
  createdAt: number
  /** Model time from which the statistics daemon has seen name and state. */
  seenAt: number
  /** What QEMU says while its processors stand still. */
  qmpStatus?: 'internal-error'
  /** How often its configuration was changed: chance is drawn from it. */
  changes?: number
  ha?: string
}

export interface SnapshotState {
  readonly config: Record<string, string>
  readonly snaptime: number
  description: string
  readonly vmstate: boolean
  parent?: string
  /** Disk contents at that time, by volume id. */
  readonly disks: Record<string, { size: number; disk: DiskContent }>
}

export interface TaskState {
  readonly upid: string
  readonly host: string
  readonly pid: number
  readonly pstart: number
  readonly starttime: number
  readonly type: string
  readonly id: string
  /** `user@realm` or `user@realm!token`. */
  readonly user: string
  readonly log: string[]
  status: 'running' | 'stopped'
  exitstatus?: string
  endtime?: number
}

export interface LoginState {
  readonly user: string
  /** The host that was called. */
  readonly host: string
  /** Unix seconds. */
  readonly time: number
}

export interface PoolState {
  readonly poolid: string
  comment?: string
  vms: number[]
  storages: string[]
}

export interface AccessState {
  users: Record<string, UserState>
  groups: Record<string, { comment?: string }>
  roles: Record<string, string[]>
  acl: AclEntry[]
  realms: Record<string, { type: string; comment?: string }>
  /** Tokens that a fault took away, and privileges that it took off tokens. */
  revoked?: string[]
  narrowed?: Record<string, string[]>
  /** Key of tickets and CSRF tokens. */
  readonly secret: string
}

export interface UserState {
  readonly userid: string
  enable: boolean
  expire: number
  password?: string
  groups: string[]
  details: Record<string, string>
  tokens: Record<string, { secret: string; expire: number; privsep: boolean; comment?: string }>
}

export interface AclEntry {
  readonly path: string
  readonly type: 'user' | 'group' | 'token'
  readonly ugid: string
  readonly roleid: string
  propagate: boolean
}

export interface FirewallState {
  options: Record<string, string>
  rules: FirewallRule[]
  aliases: Record<string, { name: string; cidr: string; comment?: string }>
  ipsets: Record<string, { comment?: string; entries: { cidr: string; comment?: string; nomatch?: string }[] }>
  groups: Record<string, { comment?: string; rules: FirewallRule[] }>
}

export type FirewallRule = Record<string, string>

/** Where a volume stands: shared storages have one for all hosts. */
export function volumeKey(volid: string, host: string): string {
  return `${host}|${volid}`
}
