import { diskFactsOf } from '../disks/disk-facts.js'
import { type BlockDevice, blockDevices } from '../disks/drives.js'
import { findSystemDevice } from '../disks/system-device.js'
import { discoveredVolumes } from './discovered-volumes.js'
import { proto } from './proto-spec.js'
import type { ResourceItem, ResourceKind } from './resource-kind.js'
import { volumeStatuses } from './volume-statuses.js'

/** Disks and what is on them. */
export const blockResources: readonly ResourceKind[] = [
  {
    type: 'Disks.block.talos.dev',
    namespace: 'runtime',
    list: ({ hardware, minor }) => blockDevices(hardware).map((device) => diskItem(device, minor)),
  },
  {
    type: 'SystemDisks.block.talos.dev',
    namespace: 'runtime',
    list: (machine) => {
      const device = findSystemDevice(machine)
      if (device === undefined) return []
      return [
        {
          id: 'system-disk',
          spec: { diskID: device.id, devPath: device.path },
          proto: proto({ 1: device.id, 2: device.path }),
        },
      ]
    },
  },
  {
    type: 'BlockSymlinks.block.talos.dev',
    namespace: 'runtime',
    since: 10,
    list: ({ hardware }) =>
      blockDevices(hardware).map(({ id, links }) => ({ id, spec: { paths: links }, proto: proto({ 1: links }) })),
  },
  { type: 'VolumeStatuses.block.talos.dev', namespace: 'runtime', list: volumeStatuses },
  { type: 'DiscoveredVolumes.block.talos.dev', namespace: 'runtime', list: discoveredVolumes },
]

function diskItem(device: BlockDevice, minor: number): ResourceItem {
  const facts = diskFactsOf(device)
  const symlinks = minor >= 10 ? facts.symlinks : []
  const spec = {
    dev_path: facts.dev_path,
    size: facts.size,
    pretty_size: facts.pretty_size,
    io_size: facts.io_size,
    sector_size: facts.sector_size,
    readonly: facts.readonly,
    cdrom: facts.cdrom,
    model: facts.model,
    ...(facts.serial === '' ? {} : { serial: facts.serial }),
    modalias: facts.modalias,
    ...(facts.wwid === '' ? {} : { wwid: facts.wwid }),
    sub_system: facts.sub_system,
    ...(facts.transport === '' ? {} : { transport: facts.transport }),
    ...(facts.rotational ? { rotational: true } : {}),
    ...(symlinks.length === 0 ? {} : { symlinks }),
  }
  const fields = {
    1: facts.size,
    2: facts.io_size,
    3: facts.sector_size,
    4: facts.readonly,
    5: facts.model,
    6: facts.serial,
    7: facts.modalias,
    8: facts.wwid,
    10: facts.sub_system,
    11: facts.transport,
    12: facts.rotational,
    13: facts.cdrom,
    14: facts.dev_path,
    15: facts.pretty_size,
    18: symlinks,
  }
  return { id: device.id, spec, proto: proto(fields) }
}
