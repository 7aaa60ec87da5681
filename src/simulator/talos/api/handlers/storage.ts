import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import { Disk_DiskType as DiskType, type StorageService } from '../../../../wire/storage/storage_pb.js'
import type { TimeService } from '../../../../wire/time/time_pb.js'
import { diskFactsOf } from '../../disks/disk-facts.js'
import { type BlockDevice, blockDevices } from '../../disks/drives.js'
import { findSystemDevice } from '../../disks/system-device.js'
import { wipeDisk } from '../../disks/system-disk.js'
import { machineOf } from '../call-context.js'

/** The disks of the machine. */
export const storageHandlers = {
  disks: (_request, context) => {
    const machine = machineOf(context)
    const system = findSystemDevice(machine)?.id
    const disks = blockDevices(machine.hardware).map((device) => diskOf(device, device.id === system))
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

function diskOf(device: BlockDevice, systemDisk: boolean) {
  const { dev_path, size, model, serial, modalias, wwid, transport, sub_system, readonly, cdrom, rotational } =
    diskFactsOf(device)
  const connected = transport === '' ? DiskType.UNKNOWN : DiskType.SSD
  const known = rotational ? DiskType.HDD : connected
  const type = cdrom ? DiskType.CD : known
  const facts = { deviceName: dev_path, size: BigInt(size), model, serial, modalias, wwid, type, readonly }
  return { ...facts, busPath: '', subsystem: sub_system, systemDisk }
}

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
