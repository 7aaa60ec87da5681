/** Stand-ins for the files that the recordings uploaded and downloaded: same names, same sizes. */
export const files: Readonly<Record<string, Buffer>> = {
  'tiny.iso': Buffer.alloc(360_448, 'tiny'),
  'disk.qcow2': qcow2(16 * 1024 ** 2, 196_616),
  'disk.raw': Buffer.alloc(8 * 1024 ** 2),
  'bad.txt': Buffer.from('this is not an image\n'),
}

function qcow2(virtualSize: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  bytes.writeUInt32BE(0x514649fb, 0)
  bytes.writeUInt32BE(3, 4)
  bytes.writeBigUInt64BE(BigInt(virtualSize), 24)
  return bytes
}
