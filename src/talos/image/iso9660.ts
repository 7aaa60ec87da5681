export interface IsoFile {
  /** The name that Linux shows, from Rock Ridge or Joliet. */
  readonly name: string
  /** The name for readers without either: at most eight capitals, digits and underscores. */
  readonly shortName: string
  readonly bytes: Uint8Array
}

const sectorSize = 2048
const descriptorSector = 16
const pathTableSector = 19
const rootSector = 23
const firstFileSector = 25

/**
 * A CD image with files in its root folder: ISO 9660 with Rock Ridge and Joliet names. The same input gives the same
 * bytes.
 */
export function isoImage({ label, files }: { label: string; files: readonly IsoFile[] }): Uint8Array {
  const sorted = [...files].sort((one, other) => (one.shortName < other.shortName ? -1 : 1))
  const placed = placeFiles(sorted)
  const end = placed.reduce((_, file) => file.at + sectorsOf(file), firstFileSector)
  const image = Buffer.alloc(end * sectorSize)
  const put = (sector: number, bytes: Uint8Array) => image.set(bytes, sector * sectorSize)
  put(descriptorSector, descriptor({ joliet: false, label, sectors: end }))
  put(descriptorSector + 1, descriptor({ joliet: true, label, sectors: end }))
  put(descriptorSector + 2, terminator())
  for (const [index, joliet] of [false, true].entries()) {
    put(pathTableSector + 2 * index, pathTable(rootSector + index, 'little'))
    put(pathTableSector + 2 * index + 1, pathTable(rootSector + index, 'big'))
    put(rootSector + index, rootFolder(placed, rootSector + index, joliet))
  }
  for (const { at, bytes } of placed) put(at, bytes)
  return image
}

type PlacedFile = IsoFile & { readonly at: number }

function placeFiles(files: readonly IsoFile[]): PlacedFile[] {
  let next = firstFileSector
  return files.map((file) => {
    const at = next
    next += sectorsOf(file)
    return { ...file, at }
  })
}

/** An empty file also needs a sector. */
function sectorsOf({ bytes }: IsoFile): number {
  return Math.max(1, Math.ceil(bytes.length / sectorSize))
}

function descriptor({ joliet, label, sectors }: { joliet: boolean; label: string; sectors: number }): Buffer {
  const bytes = Buffer.alloc(sectorSize)
  const text = (at: number, length: number, value: string) => writePadded(bytes, at, length, value, joliet)
  bytes[0] = joliet ? 2 : 1
  bytes.write('CD001', 1, 'latin1')
  bytes[6] = 1
  text(8, 32, '')
  text(40, 32, label)
  writeBoth32(bytes, 80, sectors)
  if (joliet) bytes.write('%/E', 88, 'latin1')
  writeBoth16(bytes, 120, 1)
  writeBoth16(bytes, 124, 1)
  writeBoth16(bytes, 128, sectorSize)
  writeBoth32(bytes, 132, pathTableLength)
  bytes.writeUInt32LE(pathTableSector + (joliet ? 2 : 0), 140)
  bytes.writeUInt32BE(pathTableSector + (joliet ? 3 : 1), 148)
  bytes.set(folderRecord(rootSector + (joliet ? 1 : 0), 0), 156)
  for (const [at, length] of textFields) text(at, length, '')
  for (const at of [813, 830]) bytes.write('2000010100000000', at, 'latin1')
  for (const at of [847, 864]) bytes.write('0000000000000000', at, 'latin1')
  bytes[881] = 1
  return bytes
}

/** Set, publisher, preparer, application, and three file names: all left blank. */
const textFields = [
  [190, 128],
  [318, 128],
  [446, 128],
  [574, 128],
  [702, 37],
  [739, 37],
  [776, 37],
] as const

function terminator(): Buffer {
  const bytes = Buffer.alloc(sectorSize)
  bytes[0] = 255
  bytes.write('CD001', 1, 'latin1')
  bytes[6] = 1
  return bytes
}

const pathTableLength = 10

function pathTable(root: number, order: 'little' | 'big'): Buffer {
  const bytes = Buffer.alloc(pathTableLength)
  bytes[0] = 1
  if (order === 'little') bytes.writeUInt32LE(root, 2)
  else bytes.writeUInt32BE(root, 2)
  if (order === 'little') bytes.writeUInt16LE(1, 6)
  else bytes.writeUInt16BE(1, 6)
  return bytes
}

function rootFolder(files: readonly PlacedFile[], at: number, joliet: boolean): Buffer {
  const extras = (...entries: Buffer[]) => (joliet ? Buffer.alloc(0) : Buffer.concat(entries))
  const folder = Buffer.concat([
    folderRecord(at, 0, extras(sharingProtocol(), posixAttributes(0o40555, 2), rockRidge())),
    folderRecord(at, 1, extras(posixAttributes(0o40555, 2))),
    ...files.map((file) => {
      const name = joliet ? Buffer.from(file.name, 'utf16le').swap16() : Buffer.from(`${file.shortName}.;1`, 'latin1')
      return record({
        name,
        at: file.at,
        size: file.bytes.length,
        isFolder: false,
        extra: extras(posixAttributes(0o100444, 1), posixName(file.name)),
      })
    }),
  ])
  if (folder.length > sectorSize) throw new Error('the root folder of this ISO has more files than fit into one sector')
  return folder
}

/** A folder's record of itself (0) or of its parent (1). */
function folderRecord(at: number, name: 0 | 1, extra: Buffer = Buffer.alloc(0)): Buffer {
  return record({ name: Buffer.from([name]), at, size: sectorSize, isFolder: true, extra })
}

function record(entry: { name: Buffer; at: number; size: number; isFolder: boolean; extra: Buffer }): Buffer {
  const nameEnd = 33 + entry.name.length + (entry.name.length % 2 === 0 ? 1 : 0)
  const length = nameEnd + entry.extra.length + (entry.extra.length % 2)
  const bytes = Buffer.alloc(length)
  bytes[0] = length
  writeBoth32(bytes, 2, entry.at)
  writeBoth32(bytes, 10, entry.size)
  bytes.set([100, 1, 1, 0, 0, 0, 0], 18)
  bytes[25] = entry.isFolder ? 2 : 0
  writeBoth16(bytes, 28, 1)
  bytes[32] = entry.name.length
  entry.name.copy(bytes, 33)
  entry.extra.copy(bytes, nameEnd)
  return bytes
}

/** SP: system use fields follow. */
function sharingProtocol(): Buffer {
  return Buffer.from([0x53, 0x50, 7, 1, 0xbe, 0xef, 0])
}

/** ER: they are Rock Ridge fields. */
function rockRidge(): Buffer {
  const id = Buffer.from('RRIP_1991A', 'latin1')
  return Buffer.concat([Buffer.from([0x45, 0x52, 8 + id.length, 1, id.length, 0, 0, 1]), id])
}

/** PX: mode, links, owner and group. */
function posixAttributes(mode: number, links: number): Buffer {
  const bytes = Buffer.alloc(36)
  bytes.set([0x50, 0x58, 36, 1])
  writeBoth32(bytes, 4, mode)
  writeBoth32(bytes, 12, links)
  return bytes
}

/** NM: the original name. */
function posixName(name: string): Buffer {
  const text = Buffer.from(name)
  return Buffer.concat([Buffer.from([0x4e, 0x4d, 5 + text.length, 1, 0]), text])
}

function writePadded(bytes: Buffer, at: number, length: number, value: string, wide: boolean): void {
  if (!wide) {
    bytes.write(value.padEnd(length), at, 'latin1')
    return
  }
  const padded = value.padEnd(Math.floor(length / 2))
  Buffer.from(padded, 'utf16le').swap16().copy(bytes, at)
}

function writeBoth16(bytes: Buffer, at: number, value: number): void {
  bytes.writeUInt16LE(value, at)
  bytes.writeUInt16BE(value, at + 2)
}

function writeBoth32(bytes: Buffer, at: number, value: number): void {
  bytes.writeUInt32LE(value, at)
  bytes.writeUInt32BE(value, at + 4)
}
