import { badParameters } from '../api-error.js'
import { type Endpoint, endpointsOf, type Rule } from '../schema/endpoints.js'
import { ruleFor, verifyPropertyString } from '../schema/verify.js'

/** A drive of a VM: its volume, and its options as text. */
export interface Drive {
  readonly key: string
  /** Volume ID, `none`, `cdrom`, a path, or `storage:GiB` for a new one. */
  file: string
  options: Record<string, string>
}

const createEndpoints = new Map<8 | 9, Endpoint>()

/** The rules of VM options: the create call has all of them. */
export function optionRules(pve: 8 | 9): Endpoint {
  const known = createEndpoints.get(pve)
  if (known !== undefined) return known
  const found = endpointsOf(pve).find(({ method, path }) => method === 'POST' && path === '/nodes/{node}/qemu')
  if (found === undefined) throw new Error('The catalogue has no endpoint that creates VMs.')
  createEndpoints.set(pve, found)
  return found
}

export function isDriveKey(key: string): boolean {
  return /^(ide|sata|scsi|virtio|efidisk|tpmstate)\d+$/.test(key)
}

export function isDiskKey(key: string): boolean {
  return /^(ide|sata|scsi|virtio)\d+$/.test(key)
}

const buses = ['ide', 'scsi', 'virtio', 'sata', 'efidisk', 'tpmstate', 'unused']

/** The original's order of a VM's drives: bus by bus, then by number. */
export function byDriveName(a: string, b: string): number {
  const place = (key: string) => buses.indexOf(key.replace(/\d+$/, '')) * 1000 + Number(/\d+$/.exec(key)?.[0] ?? 0)
  return place(a) - place(b)
}

export function parseDrive(pve: 8 | 9, key: string, text: string): Drive {
  const rule: Rule | undefined = ruleFor(optionRules(pve), key)
  const format = typeof rule?.format === 'object' ? rule.format : driveFormat(pve)
  const parsed = verifyPropertyString(format, text, key)
  if (typeof parsed === 'string') return looseDrive(key, text)
  const { file = '', ...options } = parsed
  return { key, file, options: normaliseBooleans(options, format) }
}

function driveFormat(pve: 8 | 9): Readonly<Record<string, Rule>> {
  const rule = ruleFor(optionRules(pve), 'scsi0')
  return typeof rule?.format === 'object' ? rule.format : {}
}

/** Values that are already in a config are not checked. */
function looseDrive(key: string, text: string): Drive {
  const [file = '', ...rest] = text.split(',')
  const options = Object.fromEntries(rest.map((part) => part.split(/=(.*)/s).slice(0, 2) as [string, string]))
  return { key, file: file.replace(/^(file|volume)=/, ''), options }
}

function normaliseBooleans(
  options: Record<string, string>,
  format: Readonly<Record<string, Rule>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      if (format[name]?.type !== 'boolean') return [name, value]
      return [name, /^(1|on|yes|true)$/i.test(value) ? '1' : '0']
    }),
  )
}

/** The volume first, then the options by name. */
export function printDrive({ file, options }: Drive): string {
  const rest = Object.keys(options)
    .filter((name) => name !== 'import-from')
    .sort()
    .map((name) => `${name}=${options[name] ?? ''}`)
  return [file, ...rest].join(',')
}

export function isCdrom({ options, file }: Drive): boolean {
  return options.media === 'cdrom' || file === 'cdrom' || file === 'none'
}

export function isCloudInit({ file }: Drive): boolean {
  return /[:/](vm-\d+-)?cloudinit(\.(raw|qcow2|vmdk))?$/.test(file)
}

/** A CD drive that Proxmox appends to the boot order: any except the cloud-init drive. */
export function isBootableCd(drive: Drive): boolean {
  return isCdrom(drive) && !isCloudInit(drive)
}

/** `storage:32` requests a new volume of that many GiB. */
export function newVolumeOf({ file }: Drive): { storage: string; gib: number } | undefined {
  const [, storage = '', size = ''] = /^([A-Za-z][\w.-]*):(\d+(?:\.\d+)?)$/.exec(file) ?? []
  return storage === '' ? undefined : { storage, gib: Number(size) }
}

export function storageOf(file: string): string | undefined {
  return /^([A-Za-z][\w.-]*):/.exec(file)?.[1]
}

const units: Record<string, number> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 }

/** Bytes in the largest unit that divides them. */
export function printSize(bytes: number): string {
  for (const unit of ['T', 'G', 'M', 'K']) {
    const size = units[unit] ?? 1
    if (bytes >= size && bytes % size === 0) return `${bytes / size}${unit}`
  }
  return String(bytes)
}

export function parseSize(text: string): number {
  const [, number = '0', unit = ''] = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(text) ?? []
  return Math.floor(Number(number) * (units[unit] ?? 1))
}

/** The errors of a drive that the call reports, not the task. */
export function checkDrive(drive: Drive, text: string): void {
  const { key, file, options } = drive
  const fresh = newVolumeOf(drive)
  if (options['import-from'] !== undefined && (fresh === undefined || fresh.gib !== 0))
    throw badParameters({ [key]: `'import-from' requires special syntax - use <storage ID>:0,import-from=<source>` })
  if (/^[A-Za-z][\w.-]*:iso\//.test(file) && options.media !== 'cdrom')
    throw badParameters({ [key]: "explicit 'media=cdrom' is required for iso images" })
  if (text === '') throw badParameters({ [key]: 'unable to parse drive options' })
}
