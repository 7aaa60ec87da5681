import { isMapping, type Mapping } from '../config/documents.js'
import { findText, readerOf } from '../config/read-values.js'
import { sizeOf } from '../config/size-text.js'
import type { TalosMachine } from '../machine/machine.js'
import { type BlockDevice, findDevice } from './drives.js'
import { matchingDisks } from './matching-disks.js'

/** The disk that is named, by its path or a link, otherwise the first that the selector matches. */
export function findInstallDisk(machine: TalosMachine): BlockDevice | undefined {
  const { config, hardware } = machine
  if (config === undefined) return undefined
  const reader = readerOf(config)
  const selector = reader.v1('machine.install.diskSelector')
  const match = isMapping(selector)
    ? expressionOf(selector)
    : findMatch(reader.document('UnattendedInstallConfig')?.provisioning)
  if (match !== undefined) return matchingDisks(machine, match)[0]
  const path = findText(reader.v1('machine.install.disk'))
  return path === undefined ? undefined : findDevice(hardware, path)
}

function findMatch(provisioning: unknown): string | undefined {
  const selector = isMapping(provisioning) ? provisioning.diskSelector : undefined
  return isMapping(selector) ? findText(selector.match) : undefined
}

const patterns = {
  uuid: 'uuid',
  wwid: 'wwid',
  model: 'model',
  serial: 'serial',
  modalias: 'modalias',
  busPath: 'bus_path',
}
const types: Readonly<Record<string, string>> = {
  nvme: 'disk.transport == "nvme"',
  sd: 'disk.transport == "mmc"',
  hdd: 'disk.rotational',
  ssd: '!disk.rotational',
}

/** The old selector is turned into an expression, as Talos does. */
function expressionOf(selector: Mapping): string {
  const [, sign = '==', size] = /^\s*([<>=]*)\s*(.+)$/.exec(String(selector.size ?? '')) ?? []
  const bytes = sizeOf(size)
  const globs = Object.entries(patterns).flatMap(([key, field]) => {
    const pattern = findText(selector[key])
    return pattern === undefined ? [] : [`glob(${JSON.stringify(pattern)}, disk.${field})`]
  })
  const type = types[String(selector.type)]
  return [
    ...(bytes === undefined ? [] : [`disk.size ${sign === '' ? '==' : sign} ${bytes}u`]),
    ...globs,
    'disk.transport != ""',
    ...(type === undefined ? [] : [type]),
  ].join(' && ')
}
