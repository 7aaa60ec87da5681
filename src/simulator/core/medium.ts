import type { MediumInfo } from './guest.js'

const magic = 'ICHOR-LAB-MEDIUM\n'

/** The bytes of a simulated image or ISO: small, so that hundreds fit, with a description of the real content. */
export function encodeMedium(info: MediumInfo): Uint8Array {
  const text = Buffer.from(`${magic}${JSON.stringify(info)}\n`)
  const padded = Buffer.alloc(Math.ceil(text.length / 2048) * 2048)
  text.copy(padded)
  return padded
}

/** `undefined` for anything that is not a medium of the lab: a cidata ISO, a foreign VM's file. */
export function decodeMedium(bytes: Uint8Array): MediumInfo | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 65536))
  if (!text.subarray(0, magic.length).equals(Buffer.from(magic))) return undefined
  const end = text.indexOf(0x0a, magic.length)
  if (end < 0) return undefined
  return JSON.parse(text.subarray(magic.length, end).toString('utf8')) as MediumInfo
}
