import type { DiskContent } from '../core/guest.js'

/** Everything that Proxmox stores: plain values, so that a lab can be saved and continued. */
export interface DatacenterState {
  readonly clusterName: string
  /** Whether a part of the hosts has the majority of the votes: see `countVotes`. */
  quorate: boolean
  readonly quorumDevice?: boolean
  /** Set by hand, regardless of the votes. */
  quorumIsLost?: boolean
  readonly hosts: Record<string, HostState>
  storages: Record<string, StorageState>
  /** By volume ID, and by host too for local storages: see `volumeKey`. */
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
  /** Names that resolve but are not cluster hosts: the error of a connection to them. */
  unknownHosts?: Record<string, string>
  /** Free bytes set by `fillStorage`, by host and storage. */
  filled: Record<string, number>
  /** The state of the HA manager, from its first round on. */
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
  /** Model time since its last sign of life. */
  silentSince?: number
}

export interface HaServiceState {
  state: string
  node: string
  target?: string
  /** Seen running since the last start request. */
  running: boolean
  /** The current request: `migrate` and a host, `stop` and seconds. */
  command?: readonly [string, string]
  /** The result of the last order to a host. */
  result?: 'ok' | 'failed'
  /** Consecutive failed starts on this host. */
  tries: number
  failedNodes: string[]
}

/** An entry of a configuration file with sections: HA resources, backup jobs, mappings, zones. */
export interface Section {
  type: string
  [key: string]: string | readonly string[]
}

export interface HostState {
  readonly name: string
  readonly nodeid: number
  readonly address: string
  online: boolean
  /** When it went down: the others list it as online for some seconds after that. */
  lostAt?: number
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
  /** The options in `storage.cfg`: `content`, `nodes`, `disable`, `path` … */
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
  /** Bytes used on the storage. */
  used: number
  ctime: number
  readonly vmid?: number
  parent?: string
  notes?: string
  protected?: boolean
  /** The content of a file; disks have `disk`. */
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
  /** The config it was started with: pending changes do not affect it. */
  createdAt: number
  /** Model time from which the statistics daemon shows name and state. */
  seenAt: number
  /** QEMU's status while its processors are stopped. */
  qmpStatus?: 'internal-error'
  /** Number of config changes: randomness is drawn from it. */
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
  /** The host that received the call. */
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
  /** Tokens that a fault disabled, and privileges that it removed from tokens. */
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

/** Where a volume is: shared storages have one place for all hosts. */
export function volumeKey(volid: string, host: string): string {
  return `${host}|${volid}`
}
