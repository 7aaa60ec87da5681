import type { VmRef } from '../cluster/machine.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed } from '../observe/observed.js'

/** Host and VMID of every wanted machine. */
export function placesOf({ machines, settings }: Inventory, observed: Observed): Map<string, VmRef> {
  const places = new Map<string, VmRef>()
  const taken = new Set(observed.proxmox.guests.map(({ vmid }) => vmid))
  const hosts =
    settings.proxmox.target_nodes.length > 0
      ? settings.proxmox.target_nodes
      : observed.proxmox.hosts.map(({ name }) => name)
  for (const [index, machine] of machines.entries()) {
    const seen = observed.machines.find(({ name }) => name === machine.name)
    if (seen !== undefined) {
      places.set(machine.name, { host: seen.host, vmid: seen.vmid })
      continue
    }
    const range = machine.role === 'controlplane' ? settings.vm_ids.control_plane : settings.vm_ids.worker
    let vmid = machine.vmid ?? range.from + machine.index
    while (taken.has(vmid)) vmid++
    taken.add(vmid)
    places.set(machine.name, { host: machine.host ?? hosts[index % hosts.length] ?? '', vmid })
  }
  return places
}
