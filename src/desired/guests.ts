import { lookupBy } from '../cluster/lookup.js'
import { GiB, type Guest, MiB } from '../cluster/machine.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Settings } from '../inventory/schema.js'
import type { Observed } from '../observe/observed.js'
import type { VmOptions } from '../proxmox/client/port.js'
import { newEfiDisk, writeDisk, writeDrive } from '../proxmox/model/options/disk.js'
import { writeHostPci } from '../proxmox/model/options/hardware.js'
import { writeNet } from '../proxmox/model/options/net.js'
import type { Datastores } from './datastores.js'
import type { DesiredGuest } from './desired.js'
import { diskFlags } from './vm-options.js'

const specByName = lookupBy(({ name }: Settings['guests'][number]) => name)
const guestByName = lookupBy(({ name }: Observed['proxmox']['guests'][number]) => name)

/** Guests that are created once. An existing VM with the name or VMID is that guest, and is left unchanged. */
export function guestsToMake(inventory: Inventory, observed: Observed, datastores: Datastores): DesiredGuest[] {
  const taken = new Set(observed.proxmox.guests.map(({ vmid }) => vmid))
  return inventory.guests
    .filter(({ create }) => create)
    .map((guest) => {
      const spec = specByName(inventory.settings.guests, guest.name)
      const existing = guestByName(observed.proxmox.guests, guest.name)
      const vmid = guest.vmid ?? existing?.vmid ?? nextFree(taken)
      taken.add(vmid)
      const options = optionsOf(guest, spec, inventory, datastores)
      const medium = spec?.iso === undefined ? {} : { iso: spec.iso }
      return { name: guest.name, host: guest.host, vmid, options, start: spec?.start ?? true, ...medium }
    })
}

function nextFree(taken: ReadonlySet<number>): number {
  let vmid = 100
  while (taken.has(vmid)) vmid++
  return vmid
}

function optionsOf(
  guest: Guest,
  spec: Settings['guests'][number] | undefined,
  inventory: Inventory,
  datastores: Datastores,
): VmOptions {
  const { vm, proxmox } = inventory.settings
  const datastore = datastores.on(guest.host, 'images', spec?.datastore ?? proxmox.datastore)
  const disks = [
    ...(guest.disk > 0 ? [{ size: guest.disk, storage: datastore }] : []),
    ...(spec?.disks ?? []).map((disk) => ({
      size: disk.size,
      storage: disk.datastore === undefined ? datastore : datastores.on(guest.host, 'images', disk.datastore),
    })),
  ]
  const vlan = spec?.vlan_id === undefined ? {} : { vlan: spec.vlan_id }
  return {
    name: guest.name,
    cores: guest.cpu,
    sockets: 1,
    memory: guest.memory / MiB,
    balloon: 0,
    ostype: spec?.os_type ?? 'other',
    cpu: spec?.cpu_type ?? vm.cpu_type,
    bios: vm.bios,
    machine: vm.machine,
    scsihw: vm.scsihw,
    onboot: spec?.onboot ?? true,
    ...(spec?.startup === undefined ? {} : { startup: spec.startup }),
    net0: writeNet({ model: 'virtio', bridge: spec?.bridge ?? proxmox.bridge, ...vlan }),
    ...(vm.bios === 'ovmf' ? { efidisk0: newEfiDisk(datastore) } : {}),
    ...Object.fromEntries(
      disks.map(({ size, storage }, index) => [
        `scsi${index}`,
        writeDisk({ volume: `${storage}:${size / GiB}`, ...diskFlags(vm) }),
      ]),
    ),
    ...Object.fromEntries(
      guest.devices.map(({ mapping, pcie }, index) => [
        `hostpci${index}`,
        writeHostPci({ mapping, ...(pcie ? { pcie } : {}) }),
      ]),
    ),
    ide2: writeDrive(spec?.iso),
  }
}
