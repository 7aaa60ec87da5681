import { parseDisk } from '../../src/proxmox/model/options/disk.js'
import { parseNet } from '../../src/proxmox/model/options/net.js'
import { parseSmbios } from '../../src/proxmox/model/options/smbios.js'

/** What of a VM its guest sees. */
export interface VmHardware {
  readonly uuid: string
  readonly serial?: string | undefined
  readonly mac: string
  readonly cores: number
  /** MiB. */
  readonly memory: number
  readonly disks: readonly { readonly slot: string; readonly serial?: string | undefined; readonly isSsd: boolean }[]
  /** From machine type 10.0 on Proxmox gives every SCSI disk a device ID, which hides its serial number from the guest. */
  readonly hasDeviceIds: boolean
}

/** What the hardware does not say. */
export interface Surroundings {
  /** Image of each slot. */
  readonly images: Readonly<Record<string, string>>
  readonly kernel: string
  readonly initramfs: string
  readonly console: string
  /** The user-mode network, without its id. */
  readonly network: string
}

const kernelLine = [
  'init_on_alloc=1 slab_nomerge pti=on consoleblank=0 printk.devkmsg=on proc_mem.force_override=never',
  'console=ttyS0 talos.platform=nocloud talos.dashboard.disabled=1 net.ifnames=0',
  // Emulation is slow: the kernel must not judge timers by it.
  'no_timer_check tsc=reliable',
].join(' ')

/** The hardware of a VM with these options, as Proxmox shows them. */
export function hardwareOf(options: Readonly<Record<string, string>>, hasDeviceIds: boolean): VmHardware {
  const { uuid = '', serial } = parseSmbios(options.smbios1 ?? '')
  const slots = Object.keys(options).filter((slot) => /^scsi\d+$/.test(slot))
  return {
    uuid,
    serial,
    mac: parseNet(options.net0 ?? '').mac ?? '',
    cores: Number(options.cores),
    memory: Number(options.memory),
    disks: slots.map((slot) => {
      const disk = parseDisk(options[slot] ?? '')
      return { slot, serial: disk.serial, isSsd: disk.ssd === true }
    }),
    hasDeviceIds,
  }
}

/** The command line of QEMU for it, with the devices that `qm showcmd` writes; emulated, without a firmware of its own. */
export function showCommand(hardware: VmHardware, around: Surroundings): string[] {
  const { uuid, serial, mac, cores, memory, disks } = hardware
  return [
    ['-accel', 'tcg,thread=multi', '-machine', 'type=q35', '-nodefaults', '-display', 'none', '-no-user-config'],
    ['-cpu', 'qemu64,+aes,+pni,+popcnt,+sse4.1,+sse4.2,+ssse3', '-smp', `${cores}`, '-m', `${memory}`],
    ['-smbios', `type=1,uuid=${uuid}${serial === undefined ? '' : `,serial=${serial}`}`],
    ['-device', 'i82801b11-bridge,id=pcidmi,bus=pcie.0,addr=0x1e'],
    ['-device', 'pci-bridge,id=pci.0,bus=pcidmi,addr=0x1,chassis_nr=1'],
    ['-device', 'virtio-scsi-pci,id=scsihw0,bus=pci.0,addr=0x5'],
    ...disks.map((disk) => deviceOf(disk, hardware, around)),
    ['-netdev', `user,id=net0,${around.network}`],
    ['-device', `virtio-net-pci,mac=${mac},netdev=net0,bus=pci.0,addr=0x12,id=net0`],
    ['-chardev', `file,id=serial0,path=${around.console}`, '-device', 'isa-serial,chardev=serial0'],
    ['-kernel', around.kernel, '-initrd', around.initramfs, '-append', kernelLine],
  ].flat()
}

function deviceOf(
  { slot, serial, isSsd }: VmHardware['disks'][number],
  { hasDeviceIds }: VmHardware,
  { images }: Surroundings,
): string[] {
  const lun = slot.slice('scsi'.length)
  const device = [
    `scsi-hd,bus=scsihw0.0,channel=0,scsi-id=0,lun=${lun},drive=drive-${slot},id=${slot}`,
    ...(hasDeviceIds ? [`device_id=drive-${slot}`] : []),
    ...(isSsd ? ['rotation_rate=1'] : []),
    ...(serial === undefined ? [] : [`serial=${serial}`]),
  ].join()
  const file = images[slot]
  if (file === undefined) throw new Error(`There is no image for ${slot}.`)
  const drive = `file=${file},if=none,id=drive-${slot},format=raw,cache=unsafe,discard=on,detect-zeroes=unmap`
  return ['-drive', drive, '-device', device]
}
