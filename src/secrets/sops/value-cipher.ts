import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** A value that SOPS supports. Integers are bigints, so that `1` and `1.0` differ. */
export type LeafValue = string | bigint | number | boolean

export type LeafType = 'str' | 'int' | 'float' | 'bool' | 'bytes' | 'time' | 'comment'

export interface Decrypted {
  readonly type: LeafType
  readonly bytes: Buffer
}

/** SOPS uses 32 bytes instead of the usual 12 of GCM. */
const nonceBytes = 32

const form = /^ENC\[AES256_GCM,data:([^,]+),iv:([^,]+),tag:([^,]+),type:([a-z]+)\]$/

/** `ENC[AES256_GCM,…]`, bound to its place. */
export function encryptValue(type: LeafType, bytes: Buffer, dataKey: Uint8Array, place: string): string {
  const iv = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', dataKey, iv).setAAD(Buffer.from(place))
  const data = Buffer.concat([cipher.update(bytes), cipher.final()])
  const [dataText, ivText, tagText] = [data, iv, cipher.getAuthTag()].map((part) => part.toString('base64'))
  return `ENC[AES256_GCM,data:${dataText},iv:${ivText},tag:${tagText},type:${type}]`
}

/** `undefined` if the text is not an encrypted value of this place with this key. */
export function decryptValue(text: string, dataKey: Uint8Array, place: string): Decrypted | undefined {
  const match = form.exec(text)
  if (match === null) return undefined
  const [data, iv, tag] = match.slice(1, 4).map((part) => Buffer.from(part, 'base64'))
  if (data === undefined || iv === undefined || tag?.length !== 16) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', dataKey, iv).setAAD(Buffer.from(place)).setAuthTag(tag)
    return { type: match[4] as LeafType, bytes: Buffer.concat([decipher.update(data), decipher.final()]) }
  } catch {
    return undefined
  }
}

export function isEncrypted(text: string): boolean {
  return form.test(text)
}

/** The bytes that are encrypted, and that the MAC covers. */
export function bytesOf(value: LeafValue): Buffer {
  if (typeof value === 'boolean') return Buffer.from(value ? 'True' : 'False')
  if (typeof value === 'number') return Buffer.from(withoutExponent(value))
  return Buffer.from(String(value))
}

export function typeOf(value: LeafValue): LeafType {
  switch (typeof value) {
    case 'bigint':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    default:
      return 'str'
  }
}

export function leafValue({ type, bytes }: Decrypted): LeafValue {
  const text = bytes.toString('utf8')
  switch (type) {
    case 'int':
      return BigInt(text)
    case 'float':
      return Number(text)
    case 'bool':
      return text.toLowerCase() === 'true'
    default:
      return text
  }
}

/** Go prints floats in full, JavaScript with exponents. */
function withoutExponent(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (match === null) return text
  const [, sign = '', whole = '', fraction = '', power = '0'] = match
  const digits = whole + fraction
  const point = whole.length + Number(power)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}
