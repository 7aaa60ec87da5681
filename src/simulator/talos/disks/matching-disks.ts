import { CelFailed } from '../cel/cel-error.js'
import { diskSelector } from '../cel/disk-selector.js'
import type { CelValue } from '../cel/overloads.js'
import type { TalosMachine } from '../machine/machine.js'
import { diskFactsOf } from './disk-facts.js'
import { type BlockDevice, blockDevices } from './drives.js'
import { findSystemDevice } from './system-device.js'

/** The writable disks that a selector matches, in the order of their names. */
export function matchingDisks(machine: TalosMachine, match: string): BlockDevice[] {
  const { hardware, minor } = machine
  const fits = diskSelector(match, minor)
  const system = findSystemDevice(machine)?.id
  try {
    return blockDevices(hardware).filter((device) => {
      return !device.isCd && fits(selectable(device), system === undefined ? undefined : device.id === system)
    })
  } catch (error) {
    if (error instanceof CelFailed) throw new CelFailed(`error evaluating disk locator: ${error.message}`)
    throw error
  }
}

/** Numbers are unsigned integers. */
function selectable(device: BlockDevice): Readonly<Record<string, CelValue>> {
  const values = Object.entries(diskFactsOf(device))
  return Object.fromEntries(values.map(([name, value]) => [name, typeof value === 'number' ? BigInt(value) : value]))
}
