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

function devicePath({ name, diskMatch, devicePath: path }: UserVolume, machine: string, contract: Contract): string {
  if (path !== undefined) return path
  throw new ConfigError(
    `Volume ${name} is selected by \`${diskMatch}\`, which configs of ${contractName(contract)} do not support.`,
    {
      where: `${machine}: volume ${name}`,
      fix: 'Give its disk by a path as well, or create the cluster with contract v1.10 or later.',
    },
  )
}
