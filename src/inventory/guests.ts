import type { Guest } from '../cluster/machine.js'
import type { Settings } from './schema.js'

/** The VMs that are not nodes. One without a host is on the only host of the inventory. */
export function guestsOf({ guests, proxmox }: Settings): Guest[] {
  return guests.map((guest) => ({
    name: guest.name,
    cpu: guest.cpu,
    memory: guest.ram,
    disk: guest.disk ?? 0,
    host: guest.host ?? proxmox.target_nodes[0] ?? '',
    ...(guest.vmid === undefined ? {} : { vmid: guest.vmid }),
    ...(guest.ip === undefined ? {} : { address: guest.ip }),
    devices: guest.devices,
    create: guest.create,
  }))
}
