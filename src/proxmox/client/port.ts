import type { VmRef } from '../../cluster/machine.js'
import type { MigrationFacts } from '../model/migration-blockers.js'
import type { AccessCalls } from './access-port.js'
import type { BackupCalls } from './backup-port.js'
import type { FirewallCalls, HoldCalls } from './firewall-port.js'
import type { HighAvailabilityCalls } from './high-availability-port.js'
import type { Trust } from './transport/trust.js'

export type * from './access-port.js'
export type * from './backup-port.js'
export type * from './firewall-port.js'
export type * from './high-availability-port.js'

/**
 * What ichor asks of Proxmox, one group a subject. Every call takes a signal and has a deadline; a failed one throws
 * `ProxmoxError`. Calls that start a worker give its `TaskRef`: the work is done when `tasks.wait` says so.
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
  /** Why its hosts are believed to be those that are meant. */
  readonly trust: Trust
  close(): Promise<void>
}

export interface TaskRef {
  readonly host: string
  readonly upid: string
}

export interface ClusterCalls {
  version(signal: AbortSignal): Promise<ProxmoxVersion>
  /** One call for every VM, container, host and storage that the token may see. */
  resources(signal: AbortSignal): Promise<Resources>
  status(
    signal: AbortSignal,
  ): Promise<{ quorate: boolean; hosts: { name: string; address?: string; online: boolean }[] }>
  pciMappings(signal: AbortSignal): Promise<PciMapping[]>
  /** Reported to everybody, also where the guest that has it is not shown. */
  isVmidFree(vmid: number, signal: AbortSignal): Promise<boolean>
}

export interface ProxmoxVersion {
  /** `9.2.3`. */
  readonly version: string
  readonly major: number
  readonly minor: number
  /** 8.4 and later import qcow2 images. */
  readonly canImportImages: boolean
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
  /** Bytes in use on the host, by VMs or by anything else. */
  readonly memoryUsed?: number
}

/** Any VM or container, ours or not. The statistics lag by up to ten seconds; lock and tags are live. */
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
  /** What Proxmox HA is at with it, where HA looks after it. */
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
  /** Bridges with what the host itself has on them: prefix and gateway are read from here when the inventory is silent. */
  bridges(host: string, signal: AbortSignal): Promise<Bridge[]>
  /** Every address of the hosts in the cluster; of those that are offline, only the one that the cluster knows. */
  addresses(signal: AbortSignal): Promise<string[]>
  /** What a host shows to clients, and the authority of its cluster; `localhost` is the host that is asked. */
  certificates(host: string, signal: AbortSignal): Promise<HostCertificate[]>
}

export interface HostCertificate {
  /** `pve-root-ca.pem`, `pve-ssl.pem`, or `pveproxy-ssl.pem` where an administrator has put one in its place. */
  readonly filename: string
  readonly pem: string
}

export interface Bridge {
  readonly name: string
  readonly cidr?: string
  readonly gateway?: string
  readonly vlanAware: boolean
  /** What of the host is plugged into it. */
  readonly ports: readonly string[]
}

export interface MachineCalls {
  /** Pending values merged, as Proxmox shows it; `undefined` when there is no such VM on that host, or none that this token may see. */
  findConfig(vm: VmRef, signal: AbortSignal): Promise<VmConfig | undefined>
  /** Options as `findConfig` gives them and the keys among them that wait for a cold start, in one call; no digest. */
  findOptions(vm: VmRef, signal: AbortSignal): Promise<SeenOptions | undefined>
  /** Keys whose new value waits for a cold start. */
  pending(vm: VmRef, signal: AbortSignal): Promise<PendingChange[]>
  /** `undefined` when there is no such VM on that host, or none that this token may see. */
  findStatus(vm: VmRef, signal: AbortSignal): Promise<VmStatus | undefined>
  create(vm: VmRef, options: VmOptions & { pool?: string }, signal: AbortSignal): Promise<TaskRef>
  /** POST: a worker does it, so it may import disks. */
  configure(vm: VmRef, change: ConfigChange, signal: AbortSignal): Promise<TaskRef>
  /** PUT: inside the request, for what is only metadata. */
  setOptions(vm: VmRef, change: ConfigChange, signal: AbortSignal): Promise<void>
  /** Absolute size in bytes. */
  resize(vm: VmRef, disk: string, size: number, digest: string | undefined, signal: AbortSignal): Promise<TaskRef>
  clone(source: VmRef, clone: CloneOptions, signal: AbortSignal): Promise<TaskRef>
  convertToTemplate(vm: VmRef, signal: AbortSignal): Promise<TaskRef>
  start(vm: VmRef, signal: AbortSignal): Promise<TaskRef>
  /** Pulls the plug. */
  stop(vm: VmRef, signal: AbortSignal): Promise<TaskRef>
  /** With purge, never with `destroy-unreferenced-disks`. */
  remove(vm: VmRef, signal: AbortSignal): Promise<TaskRef>
  migrate(vm: VmRef, options: MigrateOptions, signal: AbortSignal): Promise<TaskRef>
  /** What stands in the way of a move, and what goes with it; nothing is changed. */
  askMigration(vm: VmRef, target: string | undefined, signal: AbortSignal): Promise<MigrationAnswer>
}

/** Raw option values by key (`net0`, `scsi0`, `memory`, …), as the API takes them; property strings are written by `property-string.ts`. */
export type VmOptions = Readonly<Record<string, string | number | boolean>>

export interface ConfigChange {
  readonly set?: VmOptions
  readonly delete?: readonly string[]
  /** Disks among those that are deleted go with their volumes; else they stay behind as `unused`. */
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
  /** What pending keys have until then. */
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
  /** What the target lacks, in the words of Proxmox. */
  readonly lacks: readonly string[]
  /** Resources of Proxmox HA on the target that a rule keeps it apart from: `vm:101`. */
  readonly apartFrom: readonly string[]
}

export interface TaskCalls {
  /** Until the worker ends. Its verdict is a hint: ask the VM before believing a failure. Throws on failure, with the last log lines. */
  wait(task: TaskRef, signal: AbortSignal, onLine?: (line: string) => void): Promise<TaskEnd>
  /** Running workers on that host that this token may see. */
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
  content(host: string, storage: string, content: 'iso' | 'import' | 'images', signal: AbortSignal): Promise<Volume[]>
  /** `undefined` when it was done at once. */
  removeVolume(host: string, volid: string, signal: AbortSignal): Promise<TaskRef | undefined>
  /** Adds content types to what the storage allows. */
  enableContent(storage: string, content: readonly string[], signal: AbortSignal): Promise<void>
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
  /** The host fetches it itself. */
  download(host: string, storage: string, image: Download, signal: AbortSignal): Promise<TaskRef>
  /** From memory, or as it is read; an existing file of that name is replaced. */
  upload(
    host: string,
    storage: string,
    content: 'iso' | 'import',
    name: string,
    bytes: Uint8Array | FileToUpload,
    signal: AbortSignal,
  ): Promise<TaskRef>
}

/** A file that is too large for the memory: it may be read more than once. */
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
  /** `undefined` when there is none. */
  find(id: string, signal: AbortSignal): Promise<Pool | undefined>
  /** Atomic across the Proxmox cluster: `false` when it was there already. */
  create(id: string, comment: string, signal: AbortSignal): Promise<boolean>
  setComment(id: string, comment: string, signal: AbortSignal): Promise<void>
  /** Nothing happens when it is gone already. */
  remove(id: string, signal: AbortSignal): Promise<void>
}

export interface Pool {
  readonly id: string
  readonly comment: string
  readonly vmids: readonly number[]
}

export interface AgentCalls {
  /** Addresses by MAC; `undefined` while the agent does not answer. */
  findAddresses(vm: VmRef, signal: AbortSignal): Promise<GuestInterface[] | undefined>
}

export interface GuestInterface {
  readonly name: string
  readonly mac?: string
  readonly addresses: readonly string[]
}
