/**
 * The seam between a VM and what it boots. The Proxmox half owns the hardware and its bytes; the Talos half is handed
 * them at power-on and never looks behind. Neither imports the other.
 */
export interface GuestKind {
  /** The VM gets power. `resumed` is what `save()` gave before the lab was stored: the guest goes on from there. */
  powerOn(hardware: Hardware, resumed?: unknown): Guest
}

export interface Guest {
  /** The plug is pulled: at once, no goodbye. Listeners are closed when it resolves. */
  powerOff(): Promise<void>
  /** The power button. A guest may ignore it, as Talos does for minutes; it calls `hardware.onPowerOff` when it has gone down. */
  acpiShutdown(): void
  /** The reset button: power off and on with the same hardware. */
  reset(): Promise<void>
  /** Its processors stand still until it loses its power. */
  freeze?(): void
  /** The guest agent's answer; `undefined` while none answers. */
  agent(): AgentAnswer | undefined
  /** A shutdown or reboot asked for through the agent. */
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
  /** Which host it stands on now; changes with migration. */
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
  /** Device keys in boot order: `scsi0`, `ide2`. */
  readonly bootOrder: readonly string[]
  readonly disks: readonly VirtualDisk[]
  readonly cds: readonly VirtualCd[]
  readonly nics: readonly VirtualNic[]
  /** Whether the VM has the agent option: without it, the agent's channel does not exist. */
  readonly agentEnabled: boolean
  /** The guest has switched itself off. */
  onPowerOff(): void
}

export interface VirtualDisk {
  /** `scsi0`. */
  readonly slot: string
  /** Bytes; grows when Proxmox resizes it. */
  readonly size: number
  readonly serial?: string
  /**
   * What is written on it: one mutable JSON object that belongs to the volume. Proxmox copies it deeply on clone and
   * import and drops it on delete; the guest reads and writes it and nothing else does.
   */
  readonly content: DiskContent
}

export interface DiskContent {
  /** Set by an import: the image that the disk was made from, still untouched. */
  image?: MediumInfo
  /** Set by an import of another small file, such as a seed: its bytes in base64. */
  raw?: string
  /** Whatever the guest keeps here (installed slots, META, STATE, EPHEMERAL with its etcd). */
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
  /** Its bridge has no port: it reaches only what is plugged into the same bridge of the same host. */
  readonly isIsolated?: boolean
}

/** What a simulated image says of itself, in the first bytes of the file: see `medium.ts`. */
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
  /** Bytes that the real file would have: durations are computed from this. */
  readonly nominalSize: number
  /** Bytes of the disk inside. */
  readonly virtualSize: number
}
