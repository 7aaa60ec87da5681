import type { Machine } from '../cluster/machine.js'
import type { Facts } from '../findings/facts.js'
import type { ObservedMachine } from '../observe/observed.js'
import type { MachineLoad } from '../proxmox/client/port.js'
import type { Sample } from './families.js'

/** Every machine of the inventory, and its load if Proxmox reports it. */
export function machineSamples(cluster: string, { inventory, observed, examined }: Facts): Sample[] {
  const load = examined?.load.seen === true ? examined.load.value.machines : []
  const loadOf = new Map(load.map((one) => [one.vmid, one]))
  const found = new Map(observed.machines.map((machine) => [machine.name, machine]))
  return inventory.machines.flatMap((machine) => {
    const seen = found.get(machine.name)
    const own = seen === undefined ? undefined : loadOf.get(seen.vmid)
    return [...stateOf(cluster, machine, seen), ...(own === undefined ? [] : loadSamples(cluster, machine.name, own))]
  })
}

function stateOf(cluster: string, { name: machine, role }: Machine, seen: ObservedMachine | undefined): Sample[] {
  const isReady = seen?.talos.reach === 'secured' && seen.node?.ready === true
  const ready: Sample = { name: 'machine_ready', labels: { cluster, machine }, value: Number(isReady) }
  if (seen === undefined) return [ready]
  const labels = {
    cluster,
    machine,
    role,
    host: seen.host,
    vmid: String(seen.vmid),
    talos_version: seen.talos.reach === 'secured' ? seen.talos.version : '',
    kubernetes_version: seen.node?.kubeletVersion ?? '',
  }
  return [ready, { name: 'machine_info', labels, value: 1 }]
}

function loadSamples(cluster: string, machine: string, { cpuRatio, traffic, disk }: MachineLoad): Sample[] {
  const labels = { cluster, machine }
  return [
    { name: 'machine_cpu_usage_ratio', labels, value: cpuRatio },
    { name: 'machine_network_receive_bytes_total', labels, value: traffic.received },
    { name: 'machine_network_transmit_bytes_total', labels, value: traffic.sent },
    { name: 'machine_disk_read_bytes_total', labels, value: disk.read },
    { name: 'machine_disk_written_bytes_total', labels, value: disk.written },
  ]
}
