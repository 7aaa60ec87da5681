/** What hosts and VMs do now, as Proxmox last looked: up to ten seconds ago. */
export interface Load {
  readonly hosts: readonly HostLoad[]
  /** Running VMs of any owner. */
  readonly machines: readonly MachineLoad[]
}

export interface HostLoad {
  readonly name: string
  /** Of all its CPUs, from 0 to 1. */
  readonly cpuRatio: number
  readonly ioWaitRatio: number
  /** Bytes. */
  readonly memory: { readonly total: number; readonly used: number }
  readonly traffic: Traffic
}

/** Its memory is left out: with a fixed size Proxmox sees all of it in use. */
export interface MachineLoad {
  readonly vmid: number
  /** Of its vCPUs, from 0 to 1. */
  readonly cpuRatio: number
  readonly traffic: Traffic
  /** Bytes since its start. */
  readonly disk: { readonly read: number; readonly written: number }
}

/** Bytes since the start. */
export interface Traffic {
  readonly received: number
  readonly sent: number
}
