import type { Address } from '../cluster/address.js'
import { GiB, type Role } from '../cluster/machine.js'

/** The contents of a cluster diagram: hosts, what runs there, and how it is reached. */
export interface Topology {
  readonly cluster: string
  readonly talosVersion: string
  readonly kubernetesVersion: string
  /** Absent until DHCP has assigned the first control plane's address. */
  readonly endpoint?: string
  readonly vip?: Address
  /** The route of connections: `SSH root@pve.example.com`. */
  readonly jump?: string
  readonly networks: readonly TopologyNetwork[]
  readonly hosts: readonly TopologyHost[]
}

export interface TopologyNetwork {
  /** `vmbr0`, or `vmbr0, VLAN 240`. */
  readonly name: string
  readonly cidr?: string
  readonly gateway?: Address
}

export interface TopologyHost {
  /** Absent for machines whose host only Proxmox knows. */
  readonly name?: string
  readonly guests: readonly TopologyVm[]
  readonly machines: readonly TopologyVm[]
}

export interface TopologyVm {
  readonly name: string
  readonly kind: Role | 'guest'
  readonly pool?: string
  readonly vmid?: number
  readonly address?: Address
  readonly cpu: number
  /** Bytes. */
  readonly memory: number
  readonly disks: readonly { readonly size: number; readonly volume?: string }[]
  /** PCI devices by mapping name. */
  readonly devices: readonly string[]
}

export const unknownHost = 'any host (chosen by ichor up)'

/** `4 vCPU, 8 GiB, 40 + 200 GiB`. */
export function vmSize({ cpu, memory, disks }: TopologyVm): string {
  const gibibytes = (bytes: number) => Math.ceil(bytes / GiB)
  const sizes = disks.filter(({ size }) => size > 0).map(({ size }) => gibibytes(size))
  return [
    `${cpu} vCPU`,
    `${gibibytes(memory)} GiB`,
    ...(sizes.length === 0 ? [] : [`${sizes.join(' + ')} GiB disk`]),
  ].join(', ')
}

/** `VM 2000, 10.0.10.10`, as far as known. */
export function vmPlace({ vmid, address }: TopologyVm): string {
  return [vmid === undefined ? 'VMID not fixed' : `VM ${vmid}`, address ?? 'address by DHCP'].join(', ')
}

/** `control plane`, `worker`, `guest`, or the pool. */
export function vmKind({ kind, pool }: TopologyVm): string {
  if (kind === 'controlplane') return 'control plane'
  return kind === 'guest' || pool === undefined || pool === 'workers' ? kind : `pool ${pool}`
}
