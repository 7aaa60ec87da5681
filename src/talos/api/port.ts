/** How a node is named in errors, and where it answers. */
export interface TalosTarget {
  readonly machine: string
  readonly address: string
  /** 50000 unless a tunnel says otherwise. */
  readonly port?: number
}

/** PEM texts of the OS CA and of a client certificate. */
export interface TalosCredentials {
  readonly ca: string
  readonly crt: string
  readonly key: string
}

export interface TalosPort {
  /** The secured API, mutual TLS. Cheap: nothing is dialled before the first call; connections are shared by address. */
  node(target: TalosTarget): TalosNode
  /** The open API of a machine without a config. */
  maintenance(target: TalosTarget): MaintenanceNode
  /** Who is let in, and who is trusted: asks for the version over a connection of its own, with these credentials. */
  greet(target: TalosTarget, credentials: TalosCredentials, signal: AbortSignal): Promise<TalosVersion>
  /** The same over the control plane at `through`, which opens a connection to the node and passes the call on. */
  greetThrough(
    through: TalosTarget,
    target: TalosTarget,
    credentials: TalosCredentials,
    signal: AbortSignal,
  ): Promise<TalosVersion>
  close(): Promise<void>
}

/** A configured node. A failed call throws `TalosError` with machine, address, gRPC code and what it means. */
export interface TalosNode {
  version(signal: AbortSignal): Promise<TalosVersion>
  applyConfiguration(config: string, options: ApplyOptions, signal: AbortSignal): Promise<ApplyResult>
  /** Once per cluster, ever. `already` when etcd holds data here. */
  bootstrap(
    options: { recoverEtcd: boolean; skipHashCheck: boolean },
    signal: AbortSignal,
  ): Promise<'accepted' | 'already'>
  reboot(mode: 'default' | 'powercycle' | 'force', signal: AbortSignal): Promise<void>
  /** Switches it off in order; with `force` it does not drain itself first. */
  shutdown(options: { force: boolean }, signal: AbortSignal): Promise<void>
  reset(options: ResetOptions, signal: AbortSignal): Promise<void>
  rollback(signal: AbortSignal): Promise<void>
  /** By the lifecycle service where the node has it, else by the machine service; see the method for what is left to the caller. */
  upgrade(image: string, options: UpgradeOptions, signal: AbortSignal): Promise<UpgradeAnswer>
  services(signal: AbortSignal): Promise<Service[]>
  /** Stops it and starts it again; Talos refuses it for those that it stands on itself, such as etcd. */
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
  /** Bytes that the kernel sees. */
  memory?(signal: AbortSignal): Promise<number>
  /** When it last booted, in seconds since 1970. */
  bootTime(signal: AbortSignal): Promise<number>
  pullImage(reference: string, namespace: 'system' | 'cri', signal: AbortSignal): Promise<void>
  readonly resources: ResourceCalls
}

/** What a node in maintenance offers to anybody who can reach it. */
export interface MaintenanceNode {
  /** `undefined` when what answers there is not in maintenance (it asks for a certificate), or nothing answers. */
  findIdentity(signal: AbortSignal): Promise<MaintenanceIdentity | undefined>
  /**
   * On one connection: the node shows its UUID, MACs and serial number, they are compared with what is expected, and only then the
   * config goes out on that same connection. Throws `TalosError` when it is another machine.
   */
  applyConfiguration(config: string, expected: ExpectedMachine, signal: AbortSignal): Promise<ApplyResult>
}

/** What a machine must show before it is given anything. */
export interface ExpectedMachine {
  readonly uuid: string
  readonly mac: string
  /** A secret that only its VM has. */
  readonly serial?: string
}

export interface MaintenanceIdentity {
  readonly uuid: string
  /** SMBIOS serial number; empty where it has none. */
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
  /** The image is on the node already. */
  readonly isPulled?: boolean
  readonly onProgress?: (line: string) => void
}

/** `lifecycle`: only installed; cordon, drain, reboot and uncordon are the caller's. `machine`: the node does the rest. */
export interface UpgradeAnswer {
  readonly by: 'lifecycle' | 'machine'
}

export interface Service {
  readonly id: string
  readonly state: string
  /** `undefined` while unknown. */
  readonly healthy?: boolean
  readonly message: string
  /** When something last happened to it, by the clock of the node. */
  readonly changedAt?: number
}

export interface EtcdCalls {
  members(options: { local: boolean }, signal: AbortSignal): Promise<EtcdMember[]>
  status(signal: AbortSignal): Promise<EtcdStatus>
  snapshot(signal: AbortSignal): AsyncIterable<Uint8Array>
  recover(snapshot: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>
  forfeitLeadership(signal: AbortSignal): Promise<void>
  /** Checks that the cluster can go to that version, such as `3.6`, and begins it; Talos 1.11 and later. */
  lowerVersion(version: string, signal: AbortSignal): Promise<void>
  removeMember(id: string, signal: AbortSignal): Promise<void>
  alarms(signal: AbortSignal): Promise<{ member: string; alarm: 'nospace' | 'corrupt' }[]>
}

export interface EtcdMember {
  /** 16 lower-case hex digits. */
  readonly id: string
  readonly hostname: string
  readonly peerUrls: readonly string[]
  readonly isLearner: boolean
}

export interface EtcdStatus {
  readonly member: string
  readonly leader: string
  readonly dbSize: number
  readonly isLearner: boolean
  readonly errors: readonly string[]
  /** Of etcd itself, such as `3.6.12`. */
  readonly version: string
  /** Of the data, which all members can read: `3.6.0`. */
  readonly storageVersion: string
  /** How much of the log this member has applied. */
  readonly appliedIndex: number
}

/** COSI, read only. Specs come as parsed YAML. */
export interface ResourceCalls {
  /** `undefined` when there is none. */
  find(type: string, namespace: string, id: string, signal: AbortSignal): Promise<CosiResource | undefined>
  list(type: string, namespace: string, signal: AbortSignal): Promise<CosiResource[]>
  /** `stage` and readiness of the machine, in our words. */
  machineStatus(signal: AbortSignal): Promise<MachineStatus>
  /** Text of the active config, every document. */
  machineConfig(signal: AbortSignal): Promise<string>
  /** The one that it boots with, not what is only tried; the active one where this Talos does not tell them apart. */
  persistedConfig(signal: AbortSignal): Promise<string>
  /** Of the image that it runs; `undefined` where no factory made it. */
  schematic(signal: AbortSignal): Promise<string | undefined>
  systemUuid(signal: AbortSignal): Promise<string>
  systemIdentity(signal: AbortSignal): Promise<{ readonly uuid: string; readonly serial: string }>
  /** Those of the node's own interfaces, without their prefix; a shared one that it holds for a while is left out. */
  nodeAddresses(signal: AbortSignal): Promise<string[]>
}

export interface CosiResource {
  readonly id: string
  readonly version: string
  /** When it was last changed, in milliseconds by the clock of the node. */
  readonly updatedAt?: number
  readonly spec: unknown
}

export interface MachineStatus {
  readonly stage: string
  readonly ready: boolean
  readonly unmet: readonly { name: string; reason: string }[]
}
