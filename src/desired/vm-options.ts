import { type Machine, MiB, type Nic } from '../cluster/machine.js'
import type { Settings } from '../inventory/schema.js'
import type { VmOptions } from '../proxmox/client/port.js'

/** The VM of a machine in Proxmox's words, but for its disks, its medium and its mark. */
export function vmOptions(machine: Machine, { vm, network }: Settings): VmOptions {
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
    smbios1: `uuid=${machine.identity.uuid}`,
    ...(vm.numa ? { numa: true } : {}),
    ...(vm.serial ? { serial0: 'socket' } : {}),
    ...(network.agent ? { agent: '1' } : {}),
    ...(vm.startup === undefined ? {} : { startup: vm.startup }),
    ...Object.fromEntries(machine.nics.map((nic, index) => [`net${index}`, netOption(nic)])),
    ...Object.fromEntries(
      machine.devices.map(({ mapping, pcie }, index) => [
        `hostpci${index}`,
        `mapping=${mapping}${pcie ? ',pcie=1' : ''}`,
      ]),
    ),
  }
}

function netOption({ mac, bridge, vlan, mtu }: Nic): string {
  return [
    `virtio=${mac}`,
    `bridge=${bridge}`,
    ...(vlan === undefined ? [] : [`tag=${vlan}`]),
    ...(mtu === undefined ? [] : [`mtu=${mtu}`]),
  ].join(',')
}

/** Flags of every disk, in Proxmox's words. */
export function diskFlags({ disk }: Settings['vm']): Record<string, string> {
  return {
    ...(disk.discard ? { discard: 'on' } : {}),
    ...(disk.ssd ? { ssd: '1' } : {}),
    ...(disk.iothread ? { iothread: '1' } : {}),
    ...(disk.cache === undefined ? {} : { cache: disk.cache }),
    ...(disk.aio === undefined ? {} : { aio: disk.aio }),
    ...(disk.backup ? {} : { backup: '0' }),
    ...(disk.replicate ? {} : { replicate: '0' }),
  }
}
