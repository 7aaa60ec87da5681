import { nodeFactsOf } from '../config/config-facts.js'
import { type BlockDevice, blockDevices } from '../machine/drives.js'
import type { TalosMachine } from '../machine/machine.js'
import { findSystemDisk } from '../machine/system-disk.js'
import { proto } from './proto-spec.js'
import type { ResourceItem, ResourceKind } from './resource-kind.js'

const gib = 1024 ** 3

/** Disks and what is on them. */
export const blockResources: readonly ResourceKind[] = [
  {
    type: 'Disks.block.talos.dev',
    namespace: 'runtime',
    list: ({ hardware }) => blockDevices(hardware).map(diskItem),
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
  { type: 'VolumeStatuses.block.talos.dev', namespace: 'runtime', list: volumes },
  {
    type: 'DiscoveredVolumes.block.talos.dev',
    namespace: 'runtime',
    list: ({ hardware }) =>
      blockDevices(hardware).map(({ id, path, size, isCd }) => {
        const name = isCd ? 'iso9660' : 'gpt'
        const spec = { devPath: path, type: 'disk', size, pretty_size: prettySize(size), name }
        return { id, spec, proto: proto({ 1: size, 4: name, 17: path }) }
      }),
  },
]

/** The device with the installed Talos. By slot: a VM's disks are described again at every access. */
export function findSystemDevice({ hardware }: TalosMachine): BlockDevice | undefined {
  const slot = findSystemDisk(hardware)?.disk.slot
  return slot === undefined ? undefined : blockDevices(hardware).find((device) => device.disk?.slot === slot)
}

function diskItem(device: BlockDevice): ResourceItem {
  const { id, path, size, serial, isCd, transport } = device
  const pretty = prettySize(size)
  const model = isCd ? 'QEMU DVD-ROM' : 'QEMU HARDDISK'
  const spec = {
    dev_path: path,
    size,
    pretty_size: pretty,
    io_size: 512,
    sector_size: 512,
    readonly: isCd,
    cdrom: isCd,
    rotational: false,
    model,
    serial,
    transport,
    sub_system: '/sys/class/block',
  }
  const fields = {
    1: size,
    2: 512,
    3: 512,
    4: isCd,
    5: model,
    6: serial,
    10: '/sys/class/block',
    11: transport,
    13: isCd,
    14: path,
    15: pretty,
  }
  return { id, spec, proto: proto(fields) }
}

function volumes(machine: TalosMachine): ResourceItem[] {
  const { system, config } = machine
  const device = findSystemDevice(machine)
  if (system === undefined || device === undefined) return []
  const user = config === undefined ? [] : nodeFactsOf(config).userVolumes
  const item = (id: string, size: number): ResourceItem => {
    const pretty = prettySize(size)
    const spec = { phase: 'ready', type: 'partition', location: device.path, size, prettySize: pretty }
    return { id, spec, proto: proto({ 1: 6, 2: device.path, 9: size, 13: pretty }) }
  }
  return [
    item('META', 1024 ** 2),
    ...(system.state === undefined ? [] : [item('STATE', 100 * 1024 ** 2)]),
    ...(system.ephemeral === undefined ? [] : [item('EPHEMERAL', Math.max(0, device.size - 2 * gib))]),
    ...user.map((name) => item(`u-${name}`, gib)),
  ]
}

function prettySize(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(0)} GB`
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e3).toFixed(0)} kB`
}
