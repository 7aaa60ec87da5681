import type { Machine } from '../cluster/machine.js'
import { lostDataDisk } from '../findings/refusals/inventory.js'
import { chooseContract } from '../talos/config/contract.js'
import { volumesArePartitions } from '../talos/config/v1alpha1/disk-partitions.js'
import type { ClusterSpec } from './cluster-spec.js'
import { contractOf } from './talos-machine.js'

/** The newest types that every supported Proxmox VE has, and with which the link of a disk has its serial. */
const pinned: Readonly<Record<string, string>> = { pc: 'pc-i440fx-8.1', q35: 'pc-q35-8.1', virt: 'virt-8.1' }

/**
 * The type of the board. A config of 1.8 or 1.9 names one link for each data disk, which machine version 10.0 has
 * renamed: these machines stay below it. A type without a version would be the newest at each start.
 */
export function machineType(machine: Machine, spec: Pick<ClusterSpec, 'inventory' | 'secrets'>): string {
  const { machine: type } = spec.inventory.settings.vm
  const namesLinks = volumesArePartitions(chooseContract(contractOf(spec)).contract)
  if (!namesLinks || !machine.disks.some(({ volume }) => volume !== undefined)) return type
  const version = Number(/-(\d+)\.\d+/.exec(type)?.[1] ?? 0)
  if (version < 10) return pinned[type] ?? type
  throw lostDataDisk.refuse(
    `The config of ${machine.name} is one of Talos ${contractOf(spec)}, which cannot find its data disk on the machine type ${type}.`,
    {
      subject: { kind: 'machine', name: machine.name },
      where: 'vm.machine in the inventory',
      fix: `Set vm.machine: ${type.replace(/-\d+\.\d+.*$/, '-9.2')}.`,
    },
  )
}
