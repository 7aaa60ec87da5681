/** The name of a node in errors, and its address. */
export interface TalosTarget {
  readonly machine: string
  readonly address: string
  /** 50000, unless a tunnel uses another. */
  readonly port?: number
}

/** PEM texts of the OS CA and of a client certificate. */
export interface TalosCredentials {
  readonly ca: string
  readonly crt: string
  readonly key: string
}

export interface TalosPort {
  /** The authenticated API, mutual TLS. Does not dial before the first call; connections are shared by address. */
  node(target: TalosTarget): TalosNode
  /** The unauthenticated API of a machine without a config. */
  maintenance(target: TalosTarget): MaintenanceNode
  /** Tests which certificates are accepted: requests the version over a separate connection with these credentials. */
  probe(target: TalosTarget, credentials: TalosCredentials, signal: AbortSignal): Promise<TalosVersion>
  /** The same through the control plane at `through`, which connects to the node and forwards the call. */
  probeThrough(
    through: TalosTarget,
    target: TalosTarget,
    credentials: TalosCredentials,
    signal: AbortSignal,
  ): Promise<TalosVersion>
  close(): Promise<void>
}

/** A configured node. A failed call throws `TalosError` with machine, address, gRPC code and its meaning. */
export interface TalosNode {
  version(signal: AbortSignal): Promise<TalosVersion>
  applyConfiguration(config: string, options: ApplyOptions, signal: AbortSignal): Promise<ApplyResult>
  /** Once per cluster. `already` if etcd has data here. */
  bootstrap(
    options: { recoverEtcd: boolean; skipHashCheck: boolean },
    signal: AbortSignal,
  ): Promise<'accepted' | 'already'>
  reboot(mode: 'default' | 'powercycle' | 'force', signal: AbortSignal): Promise<void>
  /** Shuts down gracefully; with `force` it does not drain itself first. */
  shutdown(options: { force: boolean }, signal: AbortSignal): Promise<void>
  reset(options: ResetOptions, signal: AbortSignal): Promise<void>
  rollback(signal: AbortSignal): Promise<void>
  /**
   * Uses the lifecycle service if the node has it, otherwise the machine service; see the method for what the caller
   * must do.
   */
  upgrade(image: string, options: UpgradeOptions, signal: AbortSignal): Promise<UpgradeAnswer>
  services(signal: AbortSignal): Promise<Service[]>
  /** Stops and starts it; Talos refuses this for services that it depends on, such as etcd. */
  restartService(id: string, signal: AbortSignal): Promise<void>
  logs(
    options: { service: string; namespace: 'system' | 'k8s.io'; follow: boolean; tailLines: number },
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array>
  dmesg(options: { follow: boolean; tail: boolean }, signal: AbortSignal): AsyncIterable<Uint8Array>
  /** Changes with every boot. */
  bootId(signal: AbortSignal): Promise<string>
  readonly etcd: EtcdCalls
  /** A file of the node. */
  readFile(path: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  /** Memory in bytes, as the kernel reports it. */
  memory?(signal: AbortSignal): Promise<number>
  /** When it last booted, in seconds since 1970. */
  bootTime(signal: AbortSignal): Promise<number>
  /** Asks its time server: both clocks in milliseconds since 1970. Fails if that server does not respond. */
  clock(signal: AbortSignal): Promise<{ readonly node: number; readonly server: number }>
  pullImage(reference: string, namespace: 'system' | 'cri', signal: AbortSignal): Promise<void>
  readonly resources: ResourceCalls
}

/** What a node in maintenance mode offers without authentication. */
export interface MaintenanceNode {
  /** `undefined` if the node is not in maintenance mode (it requires a certificate), or does not respond. */
  findIdentity(signal: AbortSignal): Promise<MaintenanceIdentity | undefined>
  /**
   * On one connection: reads the node's UUID, MACs and serial number, compares them with the expected ones, and only
   * then sends the config on the same connection. Throws `TalosError` if it is another machine.
   */
  applyConfiguration(config: string, expected: ExpectedMachine, signal: AbortSignal): Promise<ApplyResult>
}

/** What a machine must report before it receives anything. */
export interface ExpectedMachine {
  readonly uuid: string
  readonly mac: string
  /** A secret that only its VM has. */
  readonly serial?: string
}

export interface MaintenanceIdentity {
  readonly uuid: string
  /** SMBIOS serial number; empty if it has none. */
  readonly serial: string
  readonly macs: readonly string[]
  readonly talosVersion?: string
}

export interface TalosVersion {
  /** `v1.13.9`. */
  readonly tag: string
  readonly platform: string
  readonly mode: string
  readonly arch: string
}

export interface ApplyOptions {
  readonly mode: 'auto' | 'no-reboot' | 'reboot' | 'staged' | 'try'
  /** The details of the result then have parts of the config, keys among them: they are never shown. */
  readonly dryRun?: boolean
  readonly tryTimeoutSeconds?: number
}

export interface ApplyResult {
  readonly mode: 'auto' | 'no-reboot' | 'reboot' | 'staged' | 'try'
  readonly details: string
  readonly warnings: readonly string[]
}

export interface ResetOptions {
  readonly graceful: boolean
  readonly reboot: boolean
  /** Volume labels to wipe; empty means the whole system disk, which a disk-image VM does not survive. */
  readonly systemPartitions: readonly string[]
  readonly userDisks?: readonly string[]
}

export interface UpgradeOptions {
  readonly stage: boolean
  /** The image is already on the node. */
  readonly isPulled?: boolean
  readonly onProgress?: (line: string) => void
}

/**
 * `lifecycle`: only installed; the caller cordons, drains, reboots and uncordons. `machine`: the node does the rest.
 */
export interface UpgradeAnswer {
  readonly by: 'lifecycle' | 'machine'
}

export interface Service {
  readonly id: string
  readonly state: string
  /** `undefined` while unknown. */
  readonly healthy?: boolean
  readonly message: string
  /** Why it ended, if it did not become healthy since: it waits for its next start, or was just started again. */
  readonly ended?: string
  /** The time of its last event, by the clock of the node. */
  readonly changedAt?: number
}

export interface EtcdCalls {
  members(options: { local: boolean }, signal: AbortSignal): Promise<EtcdMember[]>
  status(signal: AbortSignal): Promise<EtcdStatus>
  snapshot(signal: AbortSignal): AsyncIterable<Uint8Array>
  recover(snapshot: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>
  forfeitLeadership(signal: AbortSignal): Promise<void>
  /** Checks that the cluster can go to that version, such as `3.6`, and starts the downgrade; Talos 1.11 and later. */
  lowerVersion(version: string, signal: AbortSignal): Promise<void>
  removeMember(id: string, signal: AbortSignal): Promise<void>
  /** Of all members. */
  alarms(signal: AbortSignal): Promise<EtcdAlarm[]>
  /** Gives unused pages of this member's database back to the file system; the member does not respond meanwhile. */
  defragment(signal: AbortSignal): Promise<void>
  /** Clears the alarms of all members. etcd raises one again if its reason remains. */
  disarmAlarms(signal: AbortSignal): Promise<void>
}

export interface EtcdMember {
  /** 16 lower-case hex digits. */
  readonly id: string
  readonly hostname: string
  readonly peerUrls: readonly string[]
  readonly isLearner: boolean
}

export interface EtcdAlarm {
  readonly member: string
  readonly alarm: 'nospace' | 'corrupt'
}

export interface EtcdStatus {
  readonly member: string
  readonly leader: string
  /** Bytes of the database file. */
  readonly dbSize: number
  /** Bytes of it that hold data. */
  readonly dbSizeInUse: number
  readonly isLearner: boolean
  readonly errors: readonly string[]
  /** The etcd version, such as `3.6.12`. */
  readonly version: string
  /** The storage version, which all members can read: `3.6.0`. */
  readonly storageVersion: string
  /** The last log index that this member has applied. */
  readonly appliedIndex: number
}

/** COSI, read-only. Specs are parsed YAML. */
export interface ResourceCalls {
  /** `undefined` if there is none. */
  find(type: string, namespace: string, id: string, signal: AbortSignal): Promise<CosiResource | undefined>
  list(type: string, namespace: string, signal: AbortSignal): Promise<CosiResource[]>
  /** `stage` and readiness of the machine, in ichor's terms. */
  machineStatus(signal: AbortSignal): Promise<MachineStatus>
  /** Text of the active config, every document. */
  machineConfig(signal: AbortSignal): Promise<string>
  /**
   * The config that it boots with, without changes under test; the active one if this Talos does not distinguish them.
   */
  persistedConfig(signal: AbortSignal): Promise<string>
  /** What the image that it runs was built with; without a schematic if no factory built it. */
  image(signal: AbortSignal): Promise<RunningImage>
  systemUuid(signal: AbortSignal): Promise<string>
  systemIdentity(signal: AbortSignal): Promise<{ readonly uuid: string; readonly serial: string }>
  /** Addresses of the node's own interfaces, without prefix; a shared address that it holds temporarily is left out. */
  nodeAddresses(signal: AbortSignal): Promise<string[]>
}

export interface CosiResource {
  readonly id: string
  readonly version: string
  /** Time of the last change, in milliseconds by the clock of the node. */
  readonly updatedAt?: number
  readonly spec: unknown
}

export interface MachineStatus {
  readonly stage: string
  readonly ready: boolean
  readonly unmet: readonly { name: string; reason: string }[]
}

export interface RunningImage {
  readonly schematic?: string
  /** Their names, without an owner: `iscsi-tools`. */
  readonly extensions: readonly string[]
}
