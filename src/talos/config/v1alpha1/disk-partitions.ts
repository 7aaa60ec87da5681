import { ConfigError } from '../config-error.js'
import { type ConfigObject, listUnlessEmpty } from '../config-value.js'
import { type Contract, contractName } from '../contract.js'
import type { TalosMachine, UserVolume } from '../talos-machine.js'

/** Before 1.10 there are no user volumes: `machine.disks` names a disk by its path and partitions it. */
export function volumesArePartitions(contract: Contract): boolean {
  return contract.minor < 10
}

/** `machine.disks` of contracts 1.8 and 1.9, with one partition over the whole disk per user volume. */
export function diskPartitions(machine: TalosMachine, contract: Contract): readonly ConfigObject[] | undefined {
  if (!volumesArePartitions(contract)) return undefined
  const disks = machine.userVolumes.map((volume) => ({
    device: devicePath(volume, machine.name, contract),
    partitions: [{ mountpoint: `/var/mnt/${volume.name}` }],
  }))
  return listUnlessEmpty(disks)
}

/** The device path for the expression: by serial number as QEMU exposes it, or the path itself. */
function devicePath(volume: UserVolume, machine: string, contract: Contract): string {
  const [, field, value] = /^disk\.(serial|dev_path) == ["']([^"']+)["']$/.exec(volume.diskMatch.trim()) ?? []
  if (field === 'dev_path' && value !== undefined) return value
  if (field === 'serial' && value !== undefined) return `/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_${value}`
  throw new ConfigError(
    `Volume ${volume.name} is selected by \`${volume.diskMatch}\`, which configs of ${contractName(contract)} do not support.`,
    {
      where: `${machine}: volume ${volume.name}`,
      fix: 'Select the disk by `disk.serial == "…"` or `disk.dev_path == "…"`, or create the cluster with contract v1.10 or later.',
    },
  )
}
