const sector = 2048

/** The bytes of a small ISO 9660 with relaxed names, all files in its root. */
export function plainIso(label: string, files: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) }))
  let next = 20
  const placed = entries.map((entry) => {
    const at = next
    next += Math.max(1, Math.ceil(entry.bytes.length / sector))
    return { ...entry, at }
  })
  const image = Buffer.alloc(next * sector)
  const root = record('\0', 19, sector, true)
  descriptor(image, 16, 1)
  image.write(label.padEnd(32), 16 * sector + 40, 'latin1')
  root.copy(image, 16 * sector + 156)
  descriptor(image, 17, 255)
  const folder = [
    root,
    record('\u0001', 19, sector, true),
    ...placed.map((f) => record(`${f.name};1`, f.at, f.bytes.length)),
  ]
  Buffer.concat(folder).copy(image, 19 * sector)
  for (const file of placed) file.bytes.copy(image, file.at * sector)
  return image
}

function descriptor(image: Buffer, at: number, type: number): void {
  image[at * sector] = type
  image.write('CD001\u0001', at * sector + 1, 'latin1')
}

function record(name: string, at: number, size: number, isFolder = false): Buffer {
  const bytes = Buffer.alloc(33 + name.length + ((33 + name.length) % 2))
  bytes[0] = bytes.length
  bytes.writeUInt32LE(at, 2)
  bytes.writeUInt32LE(size, 10)
  bytes[25] = isFolder ? 2 : 0
  bytes[32] = name.length
  bytes.write(name, 33, 'latin1')
  return bytes
}
