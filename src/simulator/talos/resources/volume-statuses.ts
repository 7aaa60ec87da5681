import { ephemeralFactsOf } from '../config/volume-facts.js'
import { prettySize } from '../disks/disk-facts.js'
import { findSystemDevice } from '../disks/system-device.js'
import { settleVolumes, type VolumeState } from '../disks/volumes.js'
import type { TalosMachine } from '../machine/machine.js'
import { proto } from './proto-spec.js'
import type { ResourceItem } from './resource-kind.js'
import { systemPartitions } from './system-partitions.js'

const phases = ['waiting', 'failed', 'missing', 'located', 'provisioned', 'prepared', 'ready', 'closed']

/** The volumes of Talos and those of the config, each as far as it came. */
export function volumeStatuses(machine: TalosMachine): ResourceItem[] {
  const { system, config } = machine
  const device = findSystemDevice(machine)
  if (system === undefined || device === undefined) return []
  const limit = config === undefined ? {} : ephemeralFactsOf(config)
  const own = systemPartitions(system, device, limit.maxSize)
    .filter(({ volume }) => volume)
    .map(({ label, size, number, name }) =>
      statusOf({
        id: label,
        type: 'partition',
        phase: 'ready',
        location: `${device.path}${number}`,
        parent: device.path,
        partition: number,
        size,
        filesystem: name === 'xfs' ? 'xfs' : 'none',
      }),
    )
  return [...own, ...settleVolumes(machine).map(statusOf)]
}

function mountSpecOf(name: string) {
  const selinuxLabel = 'system_u:object_r:ephemeral_t:s0'
  return { targetPath: name, selinuxLabel, projectQuotaSupport: false, parentId: '/var/mnt', fileMode: 0o755 }
}

function statusOf({
  id,
  type,
  phase,
  error,
  location,
  parent,
  partition,
  size,
  filesystem,
}: VolumeState): ResourceItem {
  const spec = {
    phase,
    type,
    ...(location === undefined ? {} : { location, mountLocation: location }),
    ...(partition === undefined ? {} : { partitionIndex: partition }),
    ...(parent === undefined ? {} : { parentLocation: parent }),
    ...(size === undefined ? {} : { size, prettySize: prettySize(size) }),
    ...(filesystem === 'none' || phase !== 'ready' ? {} : { filesystem }),
    ...(id.startsWith('u-') ? { mountSpec: mountSpecOf(id.slice(2)) } : {}),
    ...(error === undefined ? {} : { errorMessage: error }),
  }
  const pretty = size === undefined ? undefined : prettySize(size)
  const fields = {
    1: phases.indexOf(phase),
    2: location,
    3: error,
    7: parent,
    8: partition,
    9: size,
    11: location,
    13: pretty,
  }
  return { id, spec, proto: proto({ ...fields, 16: type === 'disk' ? 1 : 0 }) }
}
