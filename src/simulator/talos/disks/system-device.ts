import type { TalosMachine } from '../machine/machine.js'
import { type BlockDevice, blockDevices } from './drives.js'
import { findSystemDisk } from './system-disk.js'

/** The device with the installed Talos. By slot: a VM's disks are described again at every access. */
export function findSystemDevice({ hardware }: TalosMachine): BlockDevice | undefined {
  const slot = findSystemDisk(hardware)?.disk.slot
  return slot === undefined ? undefined : blockDevices(hardware).find((device) => device.disk?.slot === slot)
}
