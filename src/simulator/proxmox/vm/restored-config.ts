import type { Datacenter } from '../datacenter.js'
import type { VolumeState } from '../state.js'
import type { Archive } from './archive.js'
import { macPrefix } from './create.js'
import { isDriveKey, parseDrive, printDrive, printSize } from './drive.js'
import { isNetKey, newMac, normaliseNet, parseNet, printNet } from './net.js'

interface Wanted {
  /** The new volumes of the disks, by drive. */
  readonly made: ReadonlyMap<string, VolumeState>
  /** Options of the caller that override those of the backup. */
  readonly options: Readonly<Record<string, string>>
  /** A separate VM: with new addresses and a new UUID. */
  readonly isUnique: boolean
}

/** The config of a restored VM: as it was, with its new volumes and a new generation ID. */
export function restoredConfig(datacenter: Datacenter, archive: Archive, wanted: Wanted): Record<string, string> {
  const { description, ...archived } = archive.config
  const config: Record<string, string> = description === undefined ? {} : { description }
  for (const [key, value] of Object.entries(archived)) {
    if (isDriveKey(key)) restoreDrive(datacenter, config, key, value, wanted.made.get(key))
    else config[key] = wanted.isUnique ? freshValue(datacenter, key, value) : value
  }
  if (config.vmgenid !== undefined && config.vmgenid !== '0') config.vmgenid = datacenter.random.uuid()
  for (const [key, value] of Object.entries(wanted.options))
    config[key] = isNetKey(key) ? normaliseNet(datacenter.pve, value, datacenter.random, macPrefix(datacenter)) : value
  return config
}

/** A disk that backups exclude leaves a trace: its line is in the notes. */
function restoreDrive(
  { pve }: Datacenter,
  config: Record<string, string>,
  key: string,
  value: string,
  volume: VolumeState | undefined,
): void {
  const { format: _format, ...options } = parseDrive(pve, key, value).options
  if (options.backup === '0')
    config.description = [config.description?.replace(/\n$/, ''), `${key}: ${value}`].filter(Boolean).join('\n')
  else if (volume === undefined) config[key] = value
  else config[key] = printDrive({ key, file: volume.volid, options: { ...options, size: printSize(volume.size) } })
}

function freshValue(datacenter: Datacenter, key: string, value: string): string {
  const { random, pve } = datacenter
  if (isNetKey(key)) return printNet({ ...parseNet(pve, value), macaddr: newMac(random, macPrefix(datacenter)) })
  if (key === 'smbios1') return value.replace(/uuid=[^,]*/, `uuid=${random.uuid()}`)
  return value
}
