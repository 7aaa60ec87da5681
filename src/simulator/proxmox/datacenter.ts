import type { SimClock } from '../core/clock.js'
import type { Ledger } from '../core/ledger.js'
import { died } from './api-error.js'
import type { VmFirewall } from './firewall/vm-firewall.js'
import type { Flocks } from './flock.js'
import type { Random } from './random.js'
import type { DatacenterState, VmState } from './state.js'
import type { Tasks } from './tasks.js'
import type { Trouble } from './trouble.js'
import type { Machines } from './vm/machines.js'

/** What every handler uses: the stored state, and the parts that act on it. */
export interface Datacenter {
  readonly pve: 8 | 9
  readonly state: DatacenterState
  readonly clock: SimClock
  readonly random: Random
  /** The lab's seed, for randomness that does not depend on the order of requests. */
  readonly seed: number
  readonly ledger: Ledger
  readonly tasks: Tasks
  readonly locks: Flocks
  readonly machines: Machines
  /** SHA-256 of the certificate, as Proxmox writes it. */
  readonly fingerprint: string
  readonly certificate: string
  /** The CA of the cluster, which signed the certificate. */
  readonly ca: string
  /** The version of the recordings, where a response depends on it. */
  readonly qemuVersion: string
  /** Without hardware virtualisation a VM starts only with `kvm: 0`. */
  readonly hasKvm: boolean
  readonly trouble: Trouble
  /** The firewalls of VMs. */
  readonly vmFirewall: VmFirewall
  /** Whether a 401 states the reason, as before 8.4.17. */
  readonly saysWhyRefused: boolean
  /** The order in which a change of a VM handles its options; random if absent. */
  optionOrder?(vmid: number, keys: readonly string[]): readonly string[] | undefined
}

/** Unix seconds in model time. */
export function nowSeconds({ clock }: Datacenter): number {
  return Math.floor(clock.now() / 1000)
}

export function findVm({ state }: Datacenter, host: string, vmid: number): VmState | undefined {
  const vm = state.vms[String(vmid)]
  return vm?.host === host ? vm : undefined
}

/** For calls that read the configuration. */
export function getVm(datacenter: Datacenter, host: string, vmid: number): VmState {
  const vm = findVm(datacenter, host, vmid)
  if (vm === undefined) throw died(`Configuration file 'nodes/${host}/qemu-server/${vmid}.conf' does not exist`)
  return vm
}

/** For calls that check the run state first: the original has another message there. */
export function getRunnable(datacenter: Datacenter, host: string, vmid: number): VmState {
  const vm = findVm(datacenter, host, vmid)
  if (vm === undefined) throw died(`unable to find configuration file for VM ${vmid} on node '${host}'`)
  return vm
}

/** Without quorum the cluster file system, and with it every configuration, is read-only. */
export function refuseReadOnlyConfig({ state }: Datacenter, { host, vmid }: VmState): void {
  const file = `/etc/pve/nodes/${host}/qemu-server/${vmid}.conf.tmp.${state.hosts[host]?.nextPid ?? 1}`
  if (!state.quorate) throw died(`unable to open file '${file}' - Permission denied`)
}

export function refuseWithoutQuorum({ state }: Datacenter): void {
  if (!state.quorate) throw died('cluster not ready - no quorum?')
}
