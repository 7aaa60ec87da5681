import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import { Disk_DiskType as DiskType, type StorageService } from '../../../../wire/storage/storage_pb.js'
import type { TimeService } from '../../../../wire/time/time_pb.js'
import { blockDevices } from '../../machine/drives.js'
import { wipeDisk } from '../../machine/system-disk.js'
import { findSystemDevice } from '../../resources/block-resources.js'
import { machineOf } from '../call-context.js'

/** The disks of the machine. */
export const storageHandlers = {
  disks: (_request, context) => {
    const machine = machineOf(context)
    const system = findSystemDevice(machine)?.id
    const disks = blockDevices(machine.hardware).map(({ id, path, size, serial, isCd, transport }) => ({
      size: BigInt(size),
      model: isCd ? 'QEMU DVD-ROM' : 'QEMU HARDDISK',
      deviceName: path,
      name: id,
      serial,
      type: isCd ? DiskType.CD : DiskType.SSD,
      busPath: `/pci0000:00/0000:00:05.0/${transport}/${id}/`,
      systemDisk: id === system,
      subsystem: '/sys/class/block',
      readonly: isCd,
    }))
    return { messages: [{ disks }] }
  },
  blockDeviceWipe: ({ devices }, context) => {
    const machine = machineOf(context)
    const known = blockDevices(machine.hardware)
    for (const { device, skipVolumeCheck } of devices) {
      const target = known.find(({ id }) => id === device)
      if (target === undefined) throw new ConnectError(`blockdevice "${device}" not found`, Code.NotFound)
      if (target.disk === undefined)
        throw new ConnectError(`blockdevice "${device}" is read-only`, Code.FailedPrecondition)
      const isInUse = findSystemDevice(machine)?.id === device && !skipVolumeCheck
      if (isInUse) throw new ConnectError(`blockdevice "${device}" is in use by a volume`, Code.FailedPrecondition)
      wipeDisk(target.disk)
    }
    return { messages: [{}] }
  },
} satisfies ServiceImpl<typeof StorageService>

/** The node's clock. */
export const timeHandlers = {
  time: (_request, context) => {
    const { fleet, clockSkewMs } = machineOf(context)
    const now = fleet.clock.now()
    return {
      messages: [
        {
          server: 'time.cloudflare.com',
          localtime: timestampFromMs(now + clockSkewMs),
          remotetime: timestampFromMs(now),
        },
      ],
    }
  },
  timeCheck: ({ server }, context) => {
    const { fleet, clockSkewMs } = machineOf(context)
    const now = fleet.clock.now()
    return { messages: [{ server, localtime: timestampFromMs(now + clockSkewMs), remotetime: timestampFromMs(now) }] }
  },
} satisfies ServiceImpl<typeof TimeService>
