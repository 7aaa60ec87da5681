import { type Machine, MiB, type Nic } from '../cluster/machine.js'
import type { Settings } from '../inventory/schema.js'
import type { VmOptions } from '../proxmox/client/port.js'
import type { Disk } from '../proxmox/model/options/disk.js'
import { writeAgent, writeHostPci } from '../proxmox/model/options/hardware.js'
import { writeNet } from '../proxmox/model/options/net.js'
import { writeSmbios } from '../proxmox/model/options/smbios.js'

/** The Proxmox options of a machine's VM, without its disks, medium and mark. */
export function vmOptions(machine: Machine, { vm, network, firewall }: Settings): VmOptions {
  const isFiltered = firewall.enabled && firewall.proxmox
  return {
    name: machine.name,
    ostype: 'l26',
    cores: machine.cpu,
    sockets: 1,
    memory: machine.memory / MiB,
    balloon: vm.balloon,
    cpu: vm.cpu_type,
    bios: vm.bios,
    machine: vm.machine,
    scsihw: vm.scsihw,
    onboot: vm.onboot,
    smbios1: writeSmbios({ uuid: machine.identity.uuid }),
    ...(vm.numa ? { numa: true } : {}),
    ...(vm.serial ? { serial0: 'socket' } : {}),
    ...(network.agent ? { agent: writeAgent({ enabled: true }) } : {}),
    ...(vm.startup === undefined ? {} : { startup: vm.startup }),
    ...Object.fromEntries(machine.nics.map((nic, index) => [`net${index}`, netOption(nic, isFiltered)])),
    ...Object.fromEntries(
      machine.devices.map(({ mapping, pcie }, index) => [
        `hostpci${index}`,
        writeHostPci({ mapping, ...(pcie ? { pcie } : {}) }),
      ]),
    ),
  }
}

function netOption({ mac, bridge, vlan, mtu }: Nic, isFiltered: boolean): string {
  return writeNet({
    model: 'virtio',
    mac,
    bridge,
    ...(vlan === undefined ? {} : { vlan }),
    ...(mtu === undefined ? {} : { mtu }),
    ...(isFiltered ? { firewall: true } : {}),
  })
}

/** Settings of every disk besides its volume and size. */
export function diskFlags({ disk }: Settings['vm']): Disk {
  return {
    ...(disk.discard ? { discard: true } : {}),
    ...(disk.ssd ? { ssd: true } : {}),
    ...(disk.iothread ? { ioThread: true } : {}),
    ...(disk.cache === undefined ? {} : { cache: disk.cache }),
    ...(disk.aio === undefined ? {} : { aio: disk.aio }),
    ...(disk.backup ? {} : { backup: false }),
    ...(disk.replicate ? {} : { replicate: false }),
  }
}
