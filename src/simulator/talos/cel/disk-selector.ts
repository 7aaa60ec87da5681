import { CelError } from './cel-error.js'
import { checkExpression } from './check.js'
import type { CelType, CelValue } from './overloads.js'
import { parseExpression } from './parse.js'

/** Whether a selector matches a disk; throws `CelFailed` if a variable in it is not known. */
export type DiskSelector = (disk: Readonly<Record<string, CelValue>>, isSystemDisk: boolean | undefined) => boolean

const units = ['k', 'M', 'G', 'T', 'P', 'E'].flatMap((letter, index): [string, bigint][] => [
  [`${letter.toUpperCase()}iB`, 1024n ** BigInt(index + 1)],
  [`${letter}B`, 1000n ** BigInt(index + 1)],
])
const constants = Object.fromEntries(units)

const fields: Readonly<Record<string, CelType>> = {
  size: 'uint',
  io_size: 'uint',
  sector_size: 'uint',
  readonly: 'bool',
  model: 'string',
  serial: 'string',
  modalias: 'string',
  wwid: 'string',
  bus_path: 'string',
  sub_system: 'string',
  transport: 'string',
  rotational: 'bool',
  cdrom: 'bool',
  dev_path: 'string',
  pretty_size: 'string',
}

/** The expression in `diskSelector.match`; throws `CelError` where Talos refuses it. */
export function diskSelector(text: string, minor: number): DiskSelector {
  const checked = checkExpression(text, parseExpression(text), {
    variables: { system_disk: 'bool', ...Object.fromEntries(units.map(([name]): [string, CelType] => [name, 'uint'])) },
    objects: { disk: fieldsIn(minor) },
  })
  if (checked.type !== 'bool') throw new CelError(`expression output type is ${checked.type}, expected bool`)
  return (disk, isSystemDisk) => {
    const facts = Object.fromEntries(Object.entries(disk).map(([name, value]) => [`disk.${name}`, value]))
    const system = isSystemDisk === undefined ? {} : { system_disk: isSystemDisk }
    return checked.run({ ...constants, ...facts, ...system }) === true
  }
}

/** Later versions of Talos know more of a disk. */
function fieldsIn(minor: number): Readonly<Record<string, CelType>> {
  return {
    ...fields,
    ...(minor >= 9 ? { secondary_disks: 'list(string)', uuid: 'string' } : {}),
    ...(minor >= 10 ? { symlinks: 'list(string)' } : {}),
    ...(minor >= 14 ? { firmware_version: 'string' } : {}),
  }
}
