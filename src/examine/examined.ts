import type { Seen } from '../cluster/seen.js'
import type { HaStatus, HostStatus, Load, StorageDefinition, ThinPool } from '../proxmox/client/port.js'
import type { EtcdStatus, Service } from '../talos/api/port.js'
import type { ExaminedKubernetes } from './examined-kubernetes.js'

/** What only a doctor asks, besides `Observed`. Each part is seen or not by itself: not seen is never well. */
export interface Examined {
  /** Hosts that are online. */
  readonly hosts: readonly ExaminedHost[]
  /** What hosts and VMs do now. */
  readonly load: Seen<Load>
  readonly storages: Seen<readonly StorageDefinition[]>
  readonly lease: Seen<ExaminedLease | undefined>
  /** Queried if a machine is managed by Proxmox HA. */
  readonly ha?: Seen<HaStatus>
  /** Machines of ours whose Talos responds. */
  readonly machines: readonly ExaminedMachine[]
  /** Machines of ours that run: whether their guest agent responds. */
  readonly agents: readonly { readonly name: string; readonly answers: Seen<boolean> }[]
  /** Missing if there is no Kubernetes, or it does not respond. */
  readonly kubernetes?: ExaminedKubernetes
}

export interface ExaminedHost {
  readonly name: string
  readonly status: Seen<HostStatus>
  readonly clock: Seen<ClockReading>
  readonly thinPools: Seen<readonly ThinPool[]>
  /** Certificates that it presents; dates in milliseconds since 1970. */
  readonly certificates: Seen<readonly { readonly name: string; readonly expires: number }[]>
}

/** A clock, compared with the time that passes here, so that clocks can be compared with each other. */
export interface ClockReading {
  /** The clock minus our monotonic time, in milliseconds. */
  readonly offsetMs: number
  /** How far the offset may be wrong. */
  readonly uncertaintyMs: number
}

/** The run that holds the lease of the cluster. */
export interface ExaminedLease {
  /** `ada@desk`. */
  readonly holder: string
  /** When it took the lease, by its own clock. */
  readonly since?: string
  /** It is a process of this computer that no longer runs. */
  readonly isGone: boolean
}

export interface ExaminedMachine {
  readonly name: string
  /** `nocloud`, `metal`. */
  readonly platform: Seen<string>
  /** Names of the extensions in its image: `qemu-guest-agent`. */
  readonly extensions: Seen<readonly string[]>
  readonly services: Seen<readonly Service[]>
  readonly disks: Seen<readonly ExaminedDisk[]>
  /** Bytes of the partition with containers, logs and etcd. */
  readonly ephemeralSize: Seen<number | undefined>
  readonly time: Seen<ExaminedTime>
  /** Problems that Talos itself reports. */
  readonly diagnostics: Seen<readonly { readonly id: string; readonly text: string }[]>
  /** `undefined` for a client that Talos shows no files. */
  readonly udp: Seen<UdpCounters | undefined>
  readonly controlPlane?: ExaminedControlPlane
}

export interface ExaminedControlPlane {
  /** Names of the machines that discovery knows. */
  readonly discovered: Seen<readonly string[]>
  /** Addresses of its interfaces now, shared ones among them. */
  readonly addresses: Seen<readonly string[]>
  readonly etcd: Seen<EtcdStatus>
  /** How long the slowest writes to its disk took in the last hour, in milliseconds. */
  readonly slowWrites: Seen<readonly number[]>
}

/** A disk as the node sees it. */
export interface ExaminedDisk {
  /** `/dev/sda`. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly serial: string
  /** `/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-scsi0`. */
  readonly symlinks: readonly string[]
}

export interface ExaminedTime {
  readonly isSynced: boolean
  readonly isDisabled: boolean
  /** Its clock and that of its time server; missing if the server does not respond. */
  readonly clock?: { readonly node: number; readonly server: number; readonly reference: ClockReading }
}

/** Since its start. */
export interface UdpCounters {
  readonly received: number
  /** Datagrams with a wrong checksum, which the kernel dropped. */
  readonly checksumErrors: number
}
