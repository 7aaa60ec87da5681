import { CelFailed } from '../cel/cel-error.js'
import { ephemeralFactsOf, type VolumeFacts, volumeFactsOf } from '../config/volume-facts.js'
import type { TalosMachine } from '../machine/machine.js'
import { type BlockDevice, blockDevices, findDevice } from './drives.js'
import { matchingDisks } from './matching-disks.js'
import { addPartition, freeSpaceOn, partitionNumber, partitionsOf } from './partitions.js'

/** A volume as the node reports it. */
export interface VolumeState {
  readonly id: string
  readonly type: 'partition' | 'disk'
  readonly phase: 'ready' | 'failed' | 'waiting'
  readonly error?: string
  readonly location?: string
  readonly parent?: string
  readonly partition?: number
  readonly size?: number
  readonly filesystem: VolumeFacts['filesystem']
}

/** Why a volume is `failed`. */
class VolumeFailed extends Error {}

/**
 * The volumes of the config besides those of Talos. What is missing is provisioned: Talos does so whenever the config or
 * the disks change, so every reader sees the result.
 */
export function settleVolumes(machine: TalosMachine): VolumeState[] {
  const { config, system } = machine
  if (config === undefined || system?.ephemeral === undefined) return []
  return volumeFactsOf(config).flatMap((facts) => stateOf(machine, facts))
}

/** Why the boot waits: a path in `machine.disks` that does not exist, or no disk for EPHEMERAL. */
export function findVolumeTrouble(machine: TalosMachine): string | undefined {
  const { config, hardware } = machine
  if (config === undefined) return undefined
  const missing = volumeFactsOf(config).find(({ on }) => 'path' in on && findDevice(hardware, on.path) === undefined)
  if (missing !== undefined && 'path' in missing.on)
    return `error processing user disk ${missing.on.path}: error resolving device path: lstat ${missing.on.path}: no such file or directory`
  const { match } = ephemeralFactsOf(config)
  const isThere = match === undefined || matchingDisks(machine, match).length > 0
  return isThere ? undefined : 'EPHEMERAL: no disks matched selector for volume'
}

function stateOf(machine: TalosMachine, facts: VolumeFacts): VolumeState[] {
  const { id, type, filesystem, on } = facts
  if ('path' in on && findDevice(machine.hardware, on.path) === undefined) return []
  try {
    const placed = locate(machine, facts) ?? provision(machine, facts)
    return [{ id, type, phase: 'ready', filesystem, ...placed }]
  } catch (error) {
    if (error instanceof VolumeFailed || error instanceof CelFailed)
      return [{ id, type, phase: 'failed', filesystem, error: error.message }]
    throw error
  }
}

type Placed = Pick<VolumeState, 'location' | 'parent' | 'partition' | 'size'>

function locate({ hardware }: TalosMachine, { id, type, on }: VolumeFacts): Placed | undefined {
  for (const device of blockDevices(hardware)) {
    if (device.disk === undefined || ('path' in on && findDevice(hardware, on.path)?.id !== device.id)) continue
    const all = partitionsOf(device.disk)
    const index = 'path' in on ? on.index : all.findIndex(({ label }) => label === id)
    const found = all[index]
    if (found !== undefined) return placedOn(device, type, partitionNumber(device.disk, index), found.size)
  }
  return undefined
}

function placedOn({ path }: BlockDevice, type: VolumeFacts['type'], partition: number, size: number): Placed {
  if (type === 'disk') return { location: path, size }
  return { location: `${path}${partition}`, parent: path, partition, size }
}

function provision(machine: TalosMachine, facts: VolumeFacts): Placed {
  const { on, type, minSize, maxSize = Number.POSITIVE_INFINITY, grows } = facts
  const { hardware, config } = machine
  const named = 'path' in on ? findDevice(hardware, on.path) : undefined
  const fitting = 'path' in on ? (named === undefined ? [] : [named]) : matchingDisks(machine, on.match)
  if (fitting.length === 0) throw new VolumeFailed('no disks matched selector for volume')
  if (type === 'disk' && fitting.length > 1)
    throw new VolumeFailed(
      `multiple disks matched locator for disk volume; matched disks: [${fitting.map(({ path }) => path).join(' ')}]`,
    )
  const ephemeral = config === undefined ? undefined : ephemeralFactsOf(config).maxSize
  const spaces = fitting.map((device) => (device.disk === undefined ? undefined : freeSpaceOn(device.disk, ephemeral)))
  const chosen = spaces.findIndex((space) => space !== undefined && space > 0 && space >= minSize)
  const device = fitting[chosen]
  if (device?.disk === undefined) throw new VolumeFailed(noneFits(spaces))
  const size = Math.min(spaces[chosen] ?? 0, maxSize)
  const label = 'path' in on ? '' : facts.id
  machine.record('volume.provisioned', { volume: facts.id, disk: device.disk.slot })
  return placedOn(device, type, addPartition(device.disk, { label, size, grows }), size)
}

function noneFits(spaces: readonly (number | undefined)[]): string {
  const odd = spaces.filter((space) => space === undefined).length
  return `no disks matched for volume (${spaces.length} matched selector): ${spaces.length - odd} have not enough space, ${odd} have wrong format, 0 have other issues`
}
