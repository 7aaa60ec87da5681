/**
 * The interface between a VM and what it boots. The Proxmox part owns the hardware and its bytes; the Talos part
 * receives them at power-on and knows nothing else. Neither imports the other.
 */
export interface GuestKind {
  /**
   * Powers the VM on. `resumed` is the value of `save()` from before the lab was stored: the guest continues from
   * there.
   */
  powerOn(hardware: Hardware, resumed?: unknown): Guest
}

export interface Guest {
  /** Cuts the power at once. Listeners are closed when it resolves. */
  powerOff(): Promise<void>
  /**
   * The power button. A guest may ignore it, as Talos does for minutes; it calls `hardware.onPowerOff` when it has shut
   * down.
   */
  acpiShutdown(): void
  /** The reset button: power off and on with the same hardware. */
  reset(): Promise<void>
  /** Its processors stop until the power is cut. */
  freeze?(): void
  /** The guest agent's response; `undefined` while it does not respond. */
  agent(): AgentAnswer | undefined
  /** A shutdown or reboot through the agent. */
  agentShutdown(): void
  /** A JSON value from which `powerOn` can resume. */
  save(): unknown
}

export interface AgentAnswer {
  readonly hostname: string
  readonly interfaces: readonly {
    readonly name: string
    readonly mac?: string
    readonly addresses: readonly { readonly address: string; readonly prefix: number }[]
  }[]
}

export interface Hardware {
  /** Its current host; changes with migration. */
  readonly host: string
  readonly vmid: number
  readonly name: string
  readonly uuid: string
  /** Decoded SMBIOS serial. */
  readonly serial?: string
  readonly cores: number
  /** Bytes. */
  readonly memory: number
  readonly firmware: 'seabios' | 'ovmf'
  readonly tpm: boolean
  /** With its version, as QEMU started it: `pc-q35-10.1`. */
  readonly machineType: string
  /** The option `scsihw`. */
  readonly scsiController: string
  /** Device keys in boot order: `scsi0`, `ide2`. */
  readonly bootOrder: readonly string[]
  readonly disks: readonly VirtualDisk[]
  readonly cds: readonly VirtualCd[]
  readonly nics: readonly VirtualNic[]
  /** Whether the VM has the agent option: without it, the agent's channel does not exist. */
  readonly agentEnabled: boolean
  /** The guest has powered off. */
  onPowerOff(): void
}

export interface VirtualDisk {
  /** `scsi0`. */
  readonly slot: string
  /** Bytes; grows when Proxmox resizes it. */
  readonly size: number
  readonly serial?: string
  /** `0x5000c50000000001`. */
  readonly wwn?: string
  /** Presented as an SSD. */
  readonly isSsd?: boolean
  /**
   * The content of the volume: one mutable JSON object. Proxmox copies it deeply on clone and import and drops it on
   * delete; only the guest reads and writes it.
   */
  readonly content: DiskContent
}

export interface DiskContent {
  /** Set by an import: the image that the disk was created from, still unchanged. */
  image?: MediumInfo
  /** Set by an import of another small file, such as a seed: its bytes in base64. */
  raw?: string
  /** The guest's own data (installed slots, META, STATE, EPHEMERAL with its etcd). */
  guest?: unknown
}

export interface VirtualCd {
  readonly slot: string
  readonly volid: string
  /** The whole ISO. */
  bytes(): Uint8Array
}

export interface VirtualNic {
  /** `net0`. */
  readonly slot: string
  readonly mac: string
  readonly bridge: string
  readonly vlan?: number
  readonly linkDown: boolean
  /** Its bridge has no port: it reaches only what is on the same bridge of the same host. */
  readonly isIsolated?: boolean
}

/** The description of a simulated image, in the first bytes of the file: see `medium.ts`. */
export interface MediumInfo {
  readonly kind: 'disk-image' | 'iso'
  /** `v1.13.9`. */
  readonly talos: string
  readonly schematic: string
  readonly platform: 'nocloud' | 'metal'
  readonly arch: 'amd64' | 'arm64'
  readonly extensions: readonly string[]
  readonly kernelArgs: readonly string[]
  readonly secureBoot: boolean
  /** Size of the real file in bytes: durations are computed from it. */
  readonly nominalSize: number
  /** Bytes of the disk inside. */
  readonly virtualSize: number
}
