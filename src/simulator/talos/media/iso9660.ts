const sector = 2048

/** A mounted volume: its label and the files of its root folder. */
export interface IsoVolume {
  readonly label: string
  /** By file name, without the `;1` of ISO 9660. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** Reads an ISO 9660 file like a Linux kernel: Rock Ridge names first, then Joliet, then the plain ones. */
export function readIsoVolume(bytes: Uint8Array): IsoVolume | undefined {
  const image = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const primary = findDescriptor(image, 1)
  if (primary === undefined) return undefined
  const label = primary.toString('latin1', 40, 72).trimEnd()
  const plain = readFolder(image, primary.subarray(156, 190), 'plain')
  if (plain.hasRockRidge) return { label, files: plain.files }
  const joliet = findDescriptor(image, 2)
  if (joliet === undefined) return { label, files: plain.files }
  return { label, files: readFolder(image, joliet.subarray(156, 190), 'joliet').files }
}

function findDescriptor(image: Buffer, type: number): Buffer | undefined {
  for (let at = 16; (at + 1) * sector <= image.length && at < 64; at++) {
    const descriptor = image.subarray(at * sector, (at + 1) * sector)
    if (descriptor.toString('latin1', 1, 6) !== 'CD001' || descriptor[0] === 255) return undefined
    if (descriptor[0] === type && (type === 1 || isJoliet(descriptor))) return descriptor
  }
  return undefined
}

function isJoliet(descriptor: Buffer): boolean {
  return ['%/@', '%/C', '%/E'].includes(descriptor.toString('latin1', 88, 91))
}

function readFolder(image: Buffer, root: Buffer, names: 'plain' | 'joliet') {
  const files = new Map<string, Uint8Array>()
  let hasRockRidge = false
  const start = root.readUInt32LE(2) * sector
  const folder = image.subarray(start, start + root.readUInt32LE(10))
  for (const record of recordsOf(folder)) {
    const rockRidge = names === 'plain' ? findRockRidgeName(record) : undefined
    hasRockRidge ||= rockRidge !== undefined
    const isFolder = ((record[25] ?? 0) & 2) !== 0
    if (isFolder) continue
    const from = record.readUInt32LE(2) * sector
    files.set(rockRidge ?? nameOf(record, names), image.subarray(from, from + record.readUInt32LE(10)))
  }
  return { files, hasRockRidge }
}

/** Records do not cross sectors: a zero length means that the rest of this sector is empty. */
function* recordsOf(folder: Buffer): Generator<Buffer> {
  let at = 0
  while (at < folder.length) {
    const length = folder[at] ?? 0
    if (length === 0) at = (Math.floor(at / sector) + 1) * sector
    else {
      yield folder.subarray(at, at + length)
      at += length
    }
  }
}

function nameOf(record: Buffer, names: 'plain' | 'joliet'): string {
  const raw = Buffer.from(record.subarray(33, 33 + (record[32] ?? 0)))
  const name = names === 'joliet' ? raw.swap16().toString('utf16le') : raw.toString('latin1').toLowerCase()
  return name.replace(/;\d+$/, '').replace(/\.$/, '')
}

function findRockRidgeName(record: Buffer): string | undefined {
  const nameLength = record[32] ?? 0
  let at = 33 + nameLength + (nameLength % 2 === 0 ? 1 : 0)
  let name: string | undefined
  while (at + 4 <= record.length) {
    const length = record[at + 2] ?? 0
    if (length < 4) break
    if (record.toString('latin1', at, at + 2) === 'NM')
      name = (name ?? '') + record.toString('utf8', at + 5, at + length)
    at += length
  }
  return name
}
