import { ephemeralFactsOf } from '../config/volume-facts.js'
import { prettySize } from '../disks/disk-facts.js'
import { type BlockDevice, blockDevices } from '../disks/drives.js'
import { partitionNumber, partitionsOf } from '../disks/partitions.js'
import { findSystemDevice } from '../disks/system-device.js'
import { settleVolumes } from '../disks/volumes.js'
import type { TalosMachine } from '../machine/machine.js'
import { proto } from './proto-spec.js'
import type { ResourceItem } from './resource-kind.js'
import { systemPartitions } from './system-partitions.js'

interface Found {
  readonly number: number
  readonly label: string
  readonly size: number
  readonly name: string
}

/** Every disk and partition with what was found on it; an empty disk has no name. */
export function discoveredVolumes(machine: TalosMachine): ResourceItem[] {
  settleVolumes(machine)
  return blockDevices(machine.hardware).flatMap((device) => {
    const partitions = partitionsOn(machine, device)
    const name = device.isCd ? 'iso9660' : partitions.length > 0 ? 'gpt' : ''
    return [whole(device, name), ...partitions.map((partition) => part(device, partition))]
  })
}

function partitionsOn(machine: TalosMachine, device: BlockDevice): Found[] {
  const { disk } = device
  if (disk === undefined) return []
  const { system, config } = machine
  const limit = config === undefined ? undefined : ephemeralFactsOf(config).maxSize
  const isSystem = findSystemDevice(machine)?.id === device.id
  return [
    ...(system === undefined || !isSystem ? [] : systemPartitions(system, device, limit)),
    ...partitionsOf(disk).map(({ label, size }, index) => ({
      label,
      size,
      name: 'xfs',
      number: partitionNumber(disk, index),
    })),
  ]
}

function whole({ id, path, size }: BlockDevice, name: string): ResourceItem {
  const pretty = prettySize(size)
  const spec = { dev_path: path, type: 'disk', device_path: '', offset: 0, size, pretty_size: pretty, name }
  return { id, spec, proto: proto({ 1: size, 4: name, 14: 'disk', 17: path, 19: pretty }) }
}

function part({ id, path }: BlockDevice, { number, label, size, name }: Found): ResourceItem {
  const pretty = prettySize(size)
  const own = `${path}${number}`
  const filesystemLabel = name === 'xfs' ? label : ''
  const spec = {
    dev_path: own,
    type: 'partition',
    device_path: '',
    parent: id,
    parent_dev_path: path,
    size,
    pretty_size: pretty,
    name,
    ...(filesystemLabel === '' ? {} : { label: filesystemLabel }),
    ...(label === '' ? {} : { partition_label: label }),
    partition_index: number,
  }
  const fields = {
    1: size,
    4: name,
    6: filesystemLabel,
    12: label,
    13: number,
    14: 'partition',
    16: id,
    17: own,
    18: path,
    19: pretty,
  }
  return { id: `${id}${number}`, spec, proto: proto(fields) }
}
