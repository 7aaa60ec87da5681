import type { VmRef } from '../../cluster/machine.js'
import type { MigrationFacts } from '../model/migration-blockers.js'
import type { AccessCalls } from './access-port.js'
import type { BackupCalls } from './backup-port.js'
import type { ClusterStatus } from './cluster-status.js'
import type { FirewallCalls, HoldCalls } from './firewall-port.js'
import type { HighAvailabilityCalls } from './high-availability-port.js'
import type { Load } from './load-port.js'
import type { Trust } from './transport/trust.js'

export type * from './access-port.js'
export type * from './backup-port.js'
export type * from './firewall-port.js'
export type * from './high-availability-port.js'
export type * from './load-port.js'

/**
 * The Proxmox calls that ichor needs, grouped by subject. Every call takes a signal and has a deadline; a failed one
 * throws `ProxmoxError`. Calls that start a task return its `TaskRef`: the work is done when `tasks.wait` returns.
 */
export interface ProxmoxPort {
  readonly cluster: ClusterCalls
  readonly hosts: HostCalls
  readonly machines: MachineCalls
  readonly tasks: TaskCalls
  readonly storage: StorageCalls
  readonly images: ImageCalls
  readonly pools: PoolCalls
  readonly agent: AgentCalls
  readonly access: AccessCalls
  readonly firewall: FirewallCalls
  readonly hold: HoldCalls
  readonly highAvailability: HighAvailabilityCalls
  readonly backup: BackupCalls
  /** Why the client trusts its hosts. */
  readonly trust: Trust
  close(): Promise<void>
}

export interface TaskRef {
  readonly host: string
  readonly upid: string
}

export interface ClusterCalls {
  version(signal: AbortSignal): Promise<ProxmoxVersion>
  /** One call for all VMs, containers, hosts and storages that the token may see. */
  resources(signal: AbortSignal): Promise<Resources>
  status(signal: AbortSignal): Promise<ClusterStatus>
  /** The load of all hosts and VMs in one call; needs Sys.Audit on `/`. */
  load(signal: AbortSignal): Promise<Load>
  pciMappings(signal: AbortSignal): Promise<PciMapping[]>
  /** Available to every token, even if the guest that has it is hidden. */
  isVmidFree(vmid: number, signal: AbortSignal): Promise<boolean>
}

export interface ProxmoxVersion {
  /** `9.2.3`. */
  readonly version: string
  readonly major: number
  readonly minor: number
  /** 8.4 and later import qcow2 images. */
  readonly canImportImages: boolean
  /** How far its clock is ahead of the one of this computer, if that is more than certificates tolerate. */
  readonly clockOffsetMs?: number
}

export interface Resources {
  readonly hosts: readonly HostResource[]
  readonly guests: readonly GuestResource[]
  readonly storages: readonly StorageResource[]
}

export interface HostResource {
  readonly name: string
  readonly online: boolean
  /** In HA maintenance mode. */
  readonly maintenance: boolean
  /** Hardware threads; missing without Sys.Audit. */
  readonly cpus?: number
  /** Bytes. */
  readonly memory?: number
  /** Bytes in use on the host, by VMs or anything else. */
  readonly memoryUsed?: number
}

/** Any VM or container, ours or not. The statistics lag by up to ten seconds; lock and tags are current. */
export interface GuestResource extends VmRef {
  readonly kind: 'qemu' | 'lxc'
  readonly name?: string
  readonly status: 'running' | 'stopped' | 'unknown'
  readonly template: boolean
  readonly cpus: number
  /** Bytes. */
  readonly memory: number
  /** Bytes. */
  readonly disk: number
  readonly tags: readonly string[]
  readonly pool?: string
  readonly lock?: string
  /** The HA state, if HA manages it. */
  readonly ha?: string
}

export interface StorageResource {
  readonly host: string
  readonly storage: string
  readonly type: string
  readonly shared: boolean
  readonly available: boolean
  readonly content: readonly string[]
  /** Bytes. */
  readonly total: number
  /** Bytes. */
  readonly used: number
}

export interface PciMapping {
  readonly id: string
  readonly hosts: readonly string[]
}

export interface HostCalls {
  /** Bridges with the host's own addresses on them: source of prefix and gateway if the inventory has none. */
  bridges(host: string, signal: AbortSignal): Promise<Bridge[]>
  /** All addresses of the hosts in the cluster; for offline hosts only the one that the cluster knows. */
  addresses(signal: AbortSignal): Promise<string[]>
  /**
   * The certificates that a host presents, and the CA of its cluster; `localhost` is the host that handles the call.
   */
  certificates(host: string, signal: AbortSignal): Promise<HostCertificate[]>
  /** Current values; lists of resources lag behind. */
  status(host: string, signal: AbortSignal): Promise<HostStatus>
  /** The clock of the host, in whole milliseconds since 1970; its resolution is a second. */
  time(host: string, signal: AbortSignal): Promise<number>
  /** LVM thin pools, also those that no storage uses. */
  thinPools(host: string, signal: AbortSignal): Promise<ThinPool[]>
}

/** Sizes in bytes. */
export interface HostStatus {
  readonly memory: { readonly total: number; readonly used: number }
  readonly swap: { readonly total: number; readonly used: number }
  readonly rootFilesystem: { readonly total: number; readonly used: number }
  /** As the kernel names it: `Intel(R) Xeon(R) Gold 6230`. */
  readonly cpuModel: string
  /** `Linux 6.8.12-15-pve #1 SMP`. */
  readonly kernel: string
  /** `9.2.3`: during an upgrade of Proxmox the hosts differ. */
  readonly proxmoxVersion: string
}

/** Sizes in bytes. */
export interface ThinPool {
  readonly volumeGroup: string
  readonly name: string
  readonly size: number
  readonly used: number
  readonly metadataSize: number
  readonly metadataUsed: number
}

export interface HostCertificate {
  /** `pve-root-ca.pem`, `pve-ssl.pem`, or `pveproxy-ssl.pem` if an administrator installed one. */
  readonly filename: string
  readonly pem: string
}

export interface Bridge {
  readonly name: string
  readonly cidr?: string
  readonly gateway?: string
  readonly vlanAware: boolean
  /** Interfaces of the host that are attached to it. */
  readonly ports: readonly string[]
}

export interface MachineCalls {
  /**
   * Pending values merged, as Proxmox shows them; `undefined` if no such VM is on that host, or this token may not see
   * it.
   */
  findConfig(vm: VmRef, signal: AbortSignal): Promise<VmConfig | undefined>
  /** Options as `findConfig` returns them, and the keys that are pending until a cold start, in one call; no digest. */
  findOptions(vm: VmRef, signal: AbortSignal): Promise<SeenOptions | undefined>
  /** Keys whose new value is pending until a cold start. */
  pending(vm: VmRef, signal: AbortSignal): Promise<PendingChange[]>
  /** `undefined` if no such VM is on that host, or this token may not see it. */
  findStatus(vm: VmRef, signal: AbortSignal): Promise<VmStatus | undefined>
  create(vm: VmRef, options: VmOptions & { pool?: string }, signal: AbortSignal): Promise<TaskRef>
  /** POST: runs as a task, so it may import disks. */
  configure(vm: VmRef, change: ConfigChange, signal: AbortSignal): Promise<TaskRef>
  /** PUT: within the request, for metadata only. */
  setOptions(vm: VmRef, change: ConfigChange, signal: AbortSignal): Promise<void>
  /** Absolute size in bytes. */
  resize(vm: VmRef, disk: string, size: number, digest: string | undefined, signal: AbortSignal): Promise<TaskRef>
  clone(source: VmRef, clone: CloneOptions, signal: AbortSignal): Promise<TaskRef>
  convertToTemplate(vm: VmRef, signal: AbortSignal): Promise<TaskRef>
  start(vm: VmRef, signal: AbortSignal): Promise<TaskRef>
  /** Cuts the power. */
  stop(vm: VmRef, signal: AbortSignal): Promise<TaskRef>
  /** Asks the guest to shut down; the task fails if it does not in the time of its `startup` option, or 60 s. */
  shutdown(vm: VmRef, signal: AbortSignal): Promise<TaskRef>
  /** With purge, never with `destroy-unreferenced-disks`. */
  remove(vm: VmRef, signal: AbortSignal): Promise<TaskRef>
  migrate(vm: VmRef, options: MigrateOptions, signal: AbortSignal): Promise<TaskRef>
  /** What blocks a migration, and what moves with the VM; changes nothing. */
  askMigration(vm: VmRef, target: string | undefined, signal: AbortSignal): Promise<MigrationAnswer>
}

/**
 * Raw option values by key (`net0`, `scsi0`, `memory`, …), as the API takes them. `property-string.ts` writes property
 * strings.
 */
export type VmOptions = Readonly<Record<string, string | number | boolean>>

export interface ConfigChange {
  readonly set?: VmOptions
  readonly delete?: readonly string[]
  /** Deleted disks are deleted with their volumes; otherwise they stay as `unused`. */
  readonly deletesDisks?: boolean
  readonly digest?: string
}

export interface VmConfig {
  /** Every option as text, whatever JSON type Proxmox chose. */
  readonly options: Readonly<Record<string, string>>
  readonly digest: string
}

export interface SeenOptions {
  /** Pending values merged. */
  readonly options: Readonly<Record<string, string>>
  readonly pending: readonly string[]
  /** The current values of pending keys. */
  readonly running: Readonly<Record<string, string>>
}

export interface PendingChange {
  readonly key: string
  readonly value?: string
  readonly pending?: string
  readonly isDeleted: boolean
}

export interface VmStatus {
  readonly status: 'running' | 'stopped'
  readonly qmpStatus: string
  readonly lock?: string
  /** Seconds. */
  readonly uptime: number
  readonly haManaged: boolean
}

export interface CloneOptions {
  readonly vmid: number
  readonly name: string
  readonly full: boolean
  readonly storage?: string
  readonly pool?: string
  readonly description?: string
  /** Another host; the template must then be on shared storage. */
  readonly target?: string
}

export interface MigrateOptions {
  readonly target: string
  readonly online: boolean
  readonly withLocalDisks: boolean
  readonly targetStorage?: string
}

export interface MigrationAnswer extends MigrationFacts {
  readonly isRunning: boolean
  /** What the target lacks, as Proxmox reports it. */
  readonly lacks: readonly string[]
  /** HA resources on the target that a rule keeps it apart from: `vm:101`. */
  readonly apartFrom: readonly string[]
}

export interface TaskCalls {
  /**
   * Waits until the task ends. Its result is a hint: query the VM before trusting a failure. Throws on failure, with
   * the last log lines.
   */
  wait(task: TaskRef, signal: AbortSignal, onLine?: (line: string) => void): Promise<TaskEnd>
  /** Running tasks on that host that this token may see. */
  running(host: string, signal: AbortSignal): Promise<RunningTask[]>
}

export interface TaskEnd {
  readonly warnings: readonly string[]
}

export interface RunningTask extends TaskRef {
  readonly type: string
  /** Usually the VMID. */
  readonly id: string
  readonly user: string
  /** Seconds since 1970. */
  readonly startedAt: number
}

export interface StorageCalls {
  /** The storages that this token may see, as the datacenter defines them. */
  definitions(signal: AbortSignal): Promise<StorageDefinition[]>
  content(host: string, storage: string, content: 'iso' | 'import' | 'images', signal: AbortSignal): Promise<Volume[]>
  /** Bytes that each active storage of a host accepts: less than what is not used where a part is reserved. */
  free(host: string, signal: AbortSignal): Promise<ReadonlyMap<string, number>>
  /** `undefined` if it was done at once. */
  removeVolume(host: string, volid: string, signal: AbortSignal): Promise<TaskRef | undefined>
  /** Adds content types to those that the storage allows. */
  enableContent(storage: string, content: readonly string[], signal: AbortSignal): Promise<void>
}

export interface StorageDefinition {
  readonly storage: string
  readonly type: string
  /** Of an LVM thin storage. */
  readonly thinPool?: { readonly volumeGroup: string; readonly name: string }
}

export interface Volume {
  readonly volid: string
  readonly content: string
  readonly format: string
  /** Bytes. */
  readonly size: number
  readonly vmid?: number
}

export interface ImageCalls {
  /** The host downloads it. */
  download(host: string, storage: string, image: Download, signal: AbortSignal): Promise<TaskRef>
  /** From memory or as a stream; replaces an existing file with that name. */
  upload(
    host: string,
    storage: string,
    content: 'iso' | 'import',
    name: string,
    bytes: Uint8Array | FileToUpload,
    signal: AbortSignal,
  ): Promise<TaskRef>
}

/** A file too large for memory; it may be read more than once. */
export interface FileToUpload {
  readonly byteLength: number
  /** Hexadecimal. */
  readonly sha256: string
  open(): AsyncIterable<Uint8Array>
}

export interface Download {
  readonly url: string
  readonly content: 'iso' | 'import'
  readonly filename: string
  readonly checksum?: { algorithm: 'sha256' | 'sha512'; value: string }
  readonly verifyCertificates?: boolean
}

export interface PoolCalls {
  list(signal: AbortSignal): Promise<{ id: string; comment: string }[]>
  /** `undefined` if there is none. */
  find(id: string, signal: AbortSignal): Promise<Pool | undefined>
  /** Atomic across the Proxmox cluster: `false` if it already exists. */
  create(id: string, comment: string, signal: AbortSignal): Promise<boolean>
  setComment(id: string, comment: string, signal: AbortSignal): Promise<void>
  /** Fails if the VM is in another pool: it is never moved out of one. */
  addVm(id: string, vmid: number, signal: AbortSignal): Promise<void>
  /** Out of whatever pool it is in. */
  moveVm(id: string, vmid: number, signal: AbortSignal): Promise<void>
  removeVm(id: string, vmid: number, signal: AbortSignal): Promise<void>
  /** Does nothing if it does not exist. */
  remove(id: string, signal: AbortSignal): Promise<void>
}

export interface Pool {
  readonly id: string
  readonly comment: string
  readonly vmids: readonly number[]
}

export interface AgentCalls {
  /** Addresses by MAC; `undefined` while the agent does not respond. */
  findAddresses(vm: VmRef, signal: AbortSignal): Promise<GuestInterface[] | undefined>
  /** Whether the agent responds. Proxmox itself waits three seconds for it. */
  answers(vm: VmRef, signal: AbortSignal): Promise<boolean>
}

export interface GuestInterface {
  readonly name: string
  readonly mac?: string
  readonly addresses: readonly string[]
}
