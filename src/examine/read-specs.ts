import type { CosiResource } from '../talos/api/port.js'
import type { ExaminedDisk, ExaminedTime, UdpCounters } from './examined.js'

type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function textIn(fields: Fields, key: string): string {
  return typeof fields[key] === 'string' ? fields[key] : ''
}

export function textsIn(fields: Fields, key: string): string[] {
  const values = fields[key]
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
}

/** The schematic is listed as an extension, and is not an extension. */
export function extensionsIn(found: readonly CosiResource[]): string[] {
  return found
    .map(({ spec }) => textIn(fieldsOf(fieldsOf(spec).metadata), 'name'))
    .filter((name) => name !== '' && name !== 'schematic')
}

/** Read-only disks are drives for media. */
export function diskIn({ spec }: CosiResource): ExaminedDisk[] {
  const fields = fieldsOf(spec)
  if (fields.readonly === true || fields.cdrom === true) return []
  const [path, serial] = [textIn(fields, 'dev_path'), textIn(fields, 'serial')]
  return [{ path, size: Number(fields.size ?? 0), serial, symlinks: textsIn(fields, 'symlinks') }]
}

export function ephemeralSizeIn(found: readonly CosiResource[]): number | undefined {
  const { size } = fieldsOf(found.find(({ id }) => id === 'EPHEMERAL')?.spec)
  return typeof size === 'number' ? size : undefined
}

export function timeIn(spec: Fields): ExaminedTime {
  return { isSynced: spec.synced === true, isDisabled: spec.syncDisabled === true }
}

export function problemIn({ id, spec }: CosiResource): { id: string; text: string } {
  const fields = fieldsOf(spec)
  return { id, text: [textIn(fields, 'message'), ...textsIn(fields, 'details')].join('; ') }
}

/** Two lines for each protocol in `/proc/net/snmp`: the names of the counters and their values. */
export async function udpIn(file: AsyncIterable<Uint8Array>): Promise<UdpCounters> {
  const chunks: Uint8Array[] = []
  for await (const chunk of file) chunks.push(chunk)
  const lines = Buffer.concat(chunks).toString('utf8').split('\n')
  const [names = [], values = []] = lines.filter((line) => line.startsWith('Udp: ')).map((line) => line.split(' '))
  const counter = (name: string) => Number(values[names.indexOf(name)] ?? 0)
  return { received: counter('InDatagrams'), checksumErrors: counter('InCsumErrors') }
}
