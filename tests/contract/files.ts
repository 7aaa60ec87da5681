import { encodeMedium } from '../../src/simulator/core/medium.js'

/** Stand-ins for the files that the recordings uploaded and downloaded: same names, and same sizes but for the large ones. */
export const files: Readonly<Record<string, Buffer>> = {
  'tiny.iso': Buffer.alloc(360_448, 'tiny'),
  'disk.qcow2': qcow2(16 * 1024 ** 2, 196_616),
  'disk.raw': Buffer.alloc(8 * 1024 ** 2),
  'bad.txt': Buffer.from('this is not an image\n'),
  'big.iso': Buffer.alloc(16_777_729),
  'slow.iso': Buffer.from(slowFile()),
}

/** What `big.iso` had. */
export const recordedBigSize = 1_600_360_448

/** 100 MB from a slow server: the lab takes the time for it that such a medium says. */
function slowFile(): Uint8Array {
  return encodeMedium({
    kind: 'iso',
    talos: 'v1.13.9',
    schematic: '',
    platform: 'metal',
    arch: 'amd64',
    extensions: [],
    kernelArgs: [],
    secureBoot: false,
    nominalSize: 100_000_000,
    virtualSize: 0,
  })
}

function qcow2(virtualSize: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  bytes.writeUInt32BE(0x514649fb, 0)
  bytes.writeUInt32BE(3, 4)
  bytes.writeBigUInt64BE(BigInt(virtualSize), 24)
  return bytes
}
